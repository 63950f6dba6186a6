import type {
  CallContext,
  MethodName,
  MethodOf,
  ParamsOf,
  Principal,
  ResultOf,
  StreamElement,
} from "@cleveragents/protocol";
import type { LspService } from "../lsp/lsp-service.ts";
import type { McpService } from "../mcp/mcp-service.ts";
import type { ActorProbe } from "../services/actor-probe.ts";
import type { ActorRunService } from "../services/actor-run-service.ts";
import type { ApiKeyService } from "../services/api-key-service.ts";
import type { CardService } from "../services/card-service.ts";
import type { DecisionService } from "../services/decision-service.ts";
import type { DiagnosticsService } from "../services/diagnostics-service.ts";
import type { EventExportService } from "../services/event-export-service.ts";
import type { EventService } from "../services/event-service.ts";
import type { HealthService } from "../services/health-service.ts";
import type { InvariantService } from "../services/invariant-service.ts";
import type { MessageService } from "../services/message-service.ts";
import type { PlanService } from "../services/plan-service.ts";
import type { PolicyService } from "../services/policy-service.ts";
import type { ProfileService } from "../services/profile-service.ts";
import type { PushService } from "../services/push-service.ts";
import type { RegistryService } from "../services/registry-service.ts";
import type { ResourceService } from "../services/resource-service.ts";
import type { SandboxService } from "../services/sandbox-service.ts";
import type { SessionService } from "../services/session-service.ts";
import type { TaskService } from "../services/task-service.ts";
import type { TrustService } from "../services/trust-service.ts";
import type { UsageService } from "../services/usage-service.ts";
import type { ValidationService } from "../services/validation-service.ts";
import type { SkillService } from "../skills/skill-service.ts";
import { actorRunHandlers } from "./handlers/actor-run-handlers.ts";
import { authHandlers } from "./handlers/auth-handlers.ts";
import { cardHandlers } from "./handlers/card-handlers.ts";
import { diagnosticsHandlers } from "./handlers/diagnostics-handlers.ts";
import { eventHandlers } from "./handlers/event-handlers.ts";
import { healthHandlers } from "./handlers/health-handlers.ts";
import { invariantHandlers } from "./handlers/invariant-handlers.ts";
import { lspHandlers } from "./handlers/lsp-handlers.ts";
import { mcpHandlers } from "./handlers/mcp-handlers.ts";
import { modelHandlers } from "./handlers/model-handlers.ts";
import { withPlanAliases } from "./handlers/plan-aliases.ts";
import { planDecisionHandlers } from "./handlers/plan-decision-handlers.ts";
import { planHandlers } from "./handlers/plan-handlers.ts";
import { policyHandlers } from "./handlers/policy-handlers.ts";
import { profileHandlers } from "./handlers/profile-handlers.ts";
import { pushHandlers } from "./handlers/push-handlers.ts";
import { registryHandlers } from "./handlers/registry-handlers.ts";
import { resourceHandlers } from "./handlers/resource-handlers.ts";
import { sandboxHandlers } from "./handlers/sandbox-handlers.ts";
import { sessionHandlers } from "./handlers/session-handlers.ts";
import { skillHandlers } from "./handlers/skill-handlers.ts";
import { taskHandlers } from "./handlers/task-handlers.ts";
import { trustHandlers } from "./handlers/trust-handlers.ts";
import { validationHandlers } from "./handlers/validation-handlers.ts";

/** What a handler knows of a call besides its parameters. */
export interface HandlerContext {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** URIs of the extensions that this call has activated. */
  readonly extensions: readonly string[];
  readonly lastEventId: string | undefined;
  /** The version of A2A that the caller speaks. */
  readonly version: "1.0" | "0.3";
  readonly binding: CallContext["binding"];
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
  readonly messages: MessageService;
  readonly plans: PlanService;
  readonly decisions: DecisionService;
  /** Undefined where nothing is pushed. */
  readonly push: PushService | undefined;
  readonly registry: RegistryService;
  readonly resources: ResourceService;
  /** Undefined where no MCP servers are used. */
  readonly mcp: McpService | undefined;
  /** Undefined where no language servers are used. */
  readonly lsp: LspService | undefined;
  /** Undefined where no folders are looked into. */
  readonly skills: SkillService | undefined;
  /** Undefined where no models are used. */
  readonly probe: ActorProbe | undefined;
  /** Undefined where nobody answers messages by a name. */
  readonly actorRuns: ActorRunService | undefined;
  readonly usage: UsageService;
  readonly validations: ValidationService;
  readonly trust: TrustService;
  readonly invariants: InvariantService;
  readonly profiles: ProfileService;
  readonly policy: PolicyService;
  readonly sandboxes: SandboxService;
  readonly sessions: SessionService;
  readonly events: EventService;
  readonly eventExport: EventExportService;
  readonly keys: ApiKeyService;
  readonly health: HealthService;
  readonly diagnostics: DiagnosticsService;
  /** Undefined where no extended card is configured. */
  readonly cards: CardService | undefined;
}

/** Handlers over the services that are there; a method whose service is missing answers NOT_AVAILABLE. */
export function createMethodHandlers(services: Partial<Services>): MethodHandlers {
  return {
    ...taskHandlers(services.tasks, services.messages),
    ...pushHandlers(services.push),
    ...cardHandlers(services.cards),
    ...withPlanAliases(planHandlers(services.plans), services.plans),
    ...withPlanAliases(planDecisionHandlers(services.decisions, services.plans), services.plans),
    ...actorRunHandlers(services.actorRuns),
    ...registryHandlers(services.registry, services.skills),
    ...resourceHandlers(services.registry, services.resources),
    ...mcpHandlers(services.mcp),
    ...modelHandlers(services.probe, services.usage),
    ...lspHandlers(services.lsp),
    ...modelHandlers(services.probe, services.usage),
    ...skillHandlers(services.skills),
    ...validationHandlers(services.registry, services.validations),
    ...trustHandlers(services.trust),
    ...invariantHandlers(services.invariants),
    ...profileHandlers(services.profiles),
    ...policyHandlers(services.policy),
    ...sandboxHandlers(services.sandboxes),
    ...sessionHandlers(services.sessions, services.messages, services.tasks),
    ...eventHandlers(services.events, services.eventExport),
    ...authHandlers(services.keys),
    ...healthHandlers(services.health),
    ...diagnosticsHandlers(services.diagnostics),
  };
}
