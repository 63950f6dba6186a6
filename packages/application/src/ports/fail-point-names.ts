/** Every place where a test may end the process, and how far the work has come there. */
export const FAIL_POINTS = {
  "owner.locked": "The data directory is locked; nothing of it has been opened.",
  "owner.opened": "The stores are open and leftovers ended; nobody can connect.",
  "owner.listening": "The socket takes connections; no plan goes on yet.",
  "owner.recovered": "Applies that were cut off are settled; no plan goes on yet.",
  "owner.started": "Plans go on; the discovery file does not say where.",
  "owner.discovered": "The discovery file is written.",

  "store.commit.before": "The statements of a transaction are through; it is not committed.",
  "store.commit.after": "A transaction is durable; nobody has been told.",

  "engine.start.queued": "A run is in the engine's file; who queued it does not know.",
  "engine.step.ran": "A step of a run has returned; the engine has not recorded it.",
  "engine.step.recorded": "The engine has recorded a step; the run has not gone on.",

  "service.use.created": "A plan is in the store; the engine has not heard of it.",
  "service.use.queued": "A plan is in the store and in the engine; the caller has no answer.",
  "service.answer.recorded": "An answer is in the inbox and in the log; the plan has not been woken.",
  "service.cancel.committed": "A plan is cancelled in the store; what it runs goes on.",
  "service.cancel.stopped": "What a cancelled plan ran has stopped; its sandbox is there.",
  "service.cancel.cleaned": "The sandbox of a cancelled plan is gone; its run is still in the engine.",

  "plan.claimed": "A run has claimed its plan; no turn has begun.",
  "plan.turn.read": "A turn has read the plan; it has done nothing.",
  "plan.sandbox.created": "The sandbox is complete; the plan does not know of it.",
  "plan.sandbox.committed": "The plan knows its sandbox; no step has begun.",
  "plan.step.restored": "The sandbox is back at where an interrupted step began; nothing says so.",
  "plan.step.started": "The log says that the step runs; its tool has not been called.",
  "plan.step.ran": "The tool has had its effect; nothing is recorded of it.",
  "plan.step.checkpointed": "The step's checkpoint is made; the step is not committed.",
  "plan.step.committed": "The step is committed; the turn has not ended.",
  "plan.children.committed":
    "What a plan knows of its children is committed; who is to be started is not there yet.",
  "plan.child.created": "A child is in the store; the engine has not heard of it.",
  "plan.child.made": "A child is in the store and in the engine; the turn of its parent has not ended.",
  "plan.child.kept": "What a child has left is kept for its parent; the child does not say so.",
  "plan.child.handed": "A child is over; its parent has not heard of it.",
  "plan.child.merged": "A child's result is merged into a tree; its parent does not say so.",
  "plan.children.conflict": "What does not go together is in the log; nobody is asked yet.",
  "plan.children.restored": "The copy holds what all children have made; the step is not committed.",
  "plan.correction.ended": "Children of what a correction undoes have ended; no file is put back.",
  "plan.changeset.stored": "The changeset is in its store; the log does not show it.",
  "plan.changeset.logged": "The changeset is in the log; the gate is not open.",
  "plan.asked": "A question is open; the run does not wait for its answer yet.",
  "plan.apply.begun": "The plan can no longer be cancelled; nothing of the project is written.",
  "plan.apply.written": "The project is entirely new; the plan does not say so.",
  "plan.apply.committed": "The plan is applied; its sandbox is there.",
  "plan.clean.disposed": "The sandbox of a plan that is over is gone; the plan does not say so.",
  "plan.clean.committed": "The plan says that its sandbox is gone; its run has not ended.",

  "remote.message.unsent":
    "A message for an agent elsewhere is in the plan's document; it is about to be sent.",
  "remote.message.sent": "An agent elsewhere has taken a message; the plan does not know.",
  "remote.message.followed": "Something has come of work elsewhere; nothing of it is recorded.",
  "remote.message.answered": "An agent elsewhere has answered; nothing is recorded of it.",

  "workspace.create.begun": "The sandbox's directory is marked as being made; it is empty.",
  "workspace.create.recorded": "The project's tree is recorded and kept; the sandbox is empty.",
  "workspace.create.filled": "The sandbox holds the project; it is still marked as being made.",
  "workspace.checkpoint.recorded": "A checkpoint's contents are recorded; its tree is not kept.",
  "workspace.restore.read": "The index is at the wanted tree; the files are not.",
  "workspace.restore.removed":
    "Files that the wanted tree does not have are gone; the others are as they were.",
  "workspace.dispose.removed": "A sandbox's directory is gone; its trees are still kept.",

  "workspace.apply.locked": "The project is locked for an apply that has been checked; there is no journal.",
  "workspace.apply.undo-kept": "What undoes the apply is kept; there is no journal.",
  "workspace.apply.committed": "A commit for a branch is made and written down; the branch is where it was.",
  "workspace.apply.branched":
    "The branch is at its new commit; that the apply has ended is not written down.",
  "workspace.apply.journaled": "The journal is there; nothing of the project has been touched.",
  "workspace.apply.saved": "The old contents are in the journal.",
  "workspace.apply.staged-one": "A new content lies beside its place.",
  "workspace.apply.staged": "Every new content lies beside its place; the journal still says preparing.",
  "workspace.apply.decided": "The journal says that the change will be finished; no file is changed.",
  "workspace.apply.deleted": "A file of the project is deleted.",
  "workspace.apply.replaced": "A file of the project is replaced or made.",
  "workspace.apply.pruned": "Directories that became empty are gone; names are not yet durable.",
  "workspace.apply.reverting":
    "The change could not be finished; the journal says that it is being taken back.",
  "workspace.apply.put-back": "A file of the project has its old content again.",
  "workspace.apply.carried-out": "The project is entirely new; the journal is there.",
  "workspace.apply.closed": "The journal is gone; the project is locked.",

  "command.started": "A command is started; the ledger does not know of it.",
  "command.recorded": "A running command is in the ledger.",
  "command.ended": "A command has ended; the ledger still names it.",
} as const;

export type FailPointName = keyof typeof FAIL_POINTS;
