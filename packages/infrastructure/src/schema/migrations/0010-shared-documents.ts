import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { COMMIT_GROUP } from "./0002-commit-group.ts";
import { COMMIT_COMMAND_WITHOUT_OUTBOX } from "./0007-commit-command.ts";

/** Small documents that commands of several tasks change, each in the commit of its own task. */
export const sharedDocuments: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable("shared_documents")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("revision", "bigint", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull())
      .execute();
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await sql.raw(COMMIT_COMMAND_WITH_SHARED).execute(db);
    await sql.raw(COMMIT_GROUP_WITH_SHARED).execute(db);
  },
};

function inserted(text: string, before: string, more: string): string {
  const at = text.indexOf(before);
  if (at < 0 || text.indexOf(before, at + 1) >= 0) throw new Error(`there is not one place of: ${before}`);
  return text.slice(0, at) + more + text.slice(at);
}

/** `shared` of a command: `[{ id, expect, body }]`. A document of revision 0 is not there. */
const COMMIT_COMMAND_WITH_SHARED = inserted(
  inserted(
    inserted(
      COMMIT_COMMAND_WITHOUT_OUTBOX.replace(
        "changed := not v_known or v_claim is not null",
        "changed := not v_known or v_shared or v_claim is not null",
      ),
      "  v_index int := 0;\nbegin\n",
      "  v_shared boolean := false;\n  v_revision bigint;\n",
    ),
    "  if v_claim is not null then\n    select m.task_id into v_owner",
    `  for v_entry in select value from jsonb_array_elements(coalesce(p_command->'shared', '[]'::jsonb)) loop
    v_shared := true;
    select s.revision into v_revision from shared_documents s where s.id = v_entry->>'id';
    if coalesce(v_revision, 0) <> (v_entry->>'expect')::bigint then
      outcome := jsonb_build_object('refused', jsonb_build_array('moved', v_entry->>'id')); return;
    end if;
  end loop;

`,
  ),
  "  if v_document is not null then\n    insert into task_documents",
  `  if v_shared then
    update shared_documents s set revision = s.revision + 1, body = e.value->>'body'
      from jsonb_array_elements(p_command->'shared') e where s.id = e.value->>'id';
  end if;
`,
);

/** Before any task, and in the order of their ids: two groups never wait for each other in a circle. */
const COMMIT_GROUP_WITH_SHARED = inserted(
  COMMIT_GROUP.replace("create function", "create or replace function"),
  "  for v_command in select value from jsonb_array_elements(p_commands) loop\n    begin\n",
  `  if jsonb_path_exists(p_commands, '$[*].shared') then
    insert into shared_documents (id, revision, body)
      select distinct e.value->>'id' as id, 0, '{}' from jsonb_array_elements(p_commands) c(command),
        jsonb_array_elements(coalesce(c.command->'shared', '[]'::jsonb)) e order by 1
      on conflict do nothing;
    perform 1 from shared_documents s where s.id in (
      select e.value->>'id' from jsonb_array_elements(p_commands) c(command),
        jsonb_array_elements(coalesce(c.command->'shared', '[]'::jsonb)) e
    ) order by s.id for update;
  end if;

`,
);
