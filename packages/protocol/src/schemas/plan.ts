export {
  HunkSchema,
  PlanApplyParamsSchema,
  PlanApplyResultSchema,
  PlanArtifactsParamsSchema,
  PlanArtifactsResultSchema,
  PlanDiffParamsSchema,
  PlanDiffResultSchema,
} from "./plan/changes.ts";
export {
  PlanAnswerParamsSchema,
  PlanAnswerResultSchema,
  PlanCancelParamsSchema,
  PlanCancelResultSchema,
  PlanRejectParamsSchema,
} from "./plan/deciding.ts";
export {
  PlanRevertParamsSchema,
  PlanRevertResultSchema,
  PlanRollbackParamsSchema,
  PlanRollbackResultSchema,
} from "./plan/going-back.ts";
export {
  DigestSchema,
  PlanPhaseSchema,
  PlanStateSchema,
} from "./plan/shared.ts";
export {
  PlanListParamsSchema,
  PlanListResultSchema,
  PlanStatusParamsSchema,
  PlanStatusResultSchema,
  StepSchema,
} from "./plan/status.ts";
export {
  type DecisionNode,
  DecisionNodeSchema,
  PlanTreeParamsSchema,
  PlanTreeResultSchema,
} from "./plan/tree.ts";
export {
  PlanExecuteParamsSchema,
  PlanExecuteResultSchema,
  PlanUseParamsSchema,
  PlanUseResultSchema,
} from "./plan/using.ts";
