import type {
  MethodName,
  MethodOf,
  ParamsOf,
  Principal,
  ResultOf,
  StreamElement,
} from "@cleveragents/protocol";
import type { HealthService } from "../services/health-service.ts";
import type { PlanService } from "../services/plan-service.ts";
import type { RegistryService } from "../services/registry-service.ts";
import type { SessionService } from "../services/session-service.ts";
import type { TaskService } from "../services/task-service.ts";
import { healthHandlers } from "./handlers/health-handlers.ts";
import { planHandlers } from "./handlers/plan-handlers.ts";
import { registryHandlers } from "./handlers/registry-handlers.ts";
import { sessionHandlers } from "./handlers/session-handlers.ts";
import { taskHandlers } from "./handlers/task-handlers.ts";

/** What a handler knows of a call besides its parameters. */
export interface HandlerContext {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** URIs of the extensions that this call has activated. */
  readonly extensions: readonly string[];
  readonly lastEventId: string | undefined;
}

export type Handler<M extends MethodName> = (
  params: ParamsOf<M>,
  context: HandlerContext,
) => MethodOf<M>["kind"] extends "stream" ? AsyncIterable<StreamElement> : Promise<ResultOf<M>>;

/** The application's column of the method table; a method without a handler does not compile. */
export type MethodHandlers = { readonly [M in MethodName]: Handler<M> };
/** The handlers of one group of methods. */
export type HandlersOf<M extends MethodName> = { readonly [N in M]: Handler<N> };

export interface Services {
  readonly tasks: TaskService;
  readonly plans: PlanService;
  readonly registry: RegistryService;
  readonly sessions: SessionService;
  readonly health: HealthService;
}

/** Handlers over the services that are there; a method whose service is missing answers NOT_AVAILABLE. */
export function createMethodHandlers(services: Partial<Services>): MethodHandlers {
  return {
    ...taskHandlers(services.tasks),
    ...planHandlers(services.plans),
    ...registryHandlers(services.registry),
    ...sessionHandlers(services.sessions),
    ...healthHandlers(services.health),
  };
}
