/**
 * `commit_command_1` carries out one command: `{ task, create?, expect?, claim?, events, document?, add, take,
 * bump?, run? }`, events as `{ key, body, state, status, messages, artifact, replaces }`. It answers
 * `{ done: [lastSeq, epoch, revision, appended, changed] }` or `{ refused: [why, …] }`; in both, nothing is written unless
 * `changed`. If another transaction was first where both had looked, it raises CA001 with the refusal, and the caller
 * undoes it.
 *
 * Two bodies of an inbox entry are the same if they are the same JSON, in whatever order their members stand. `jsonb`
 * compares so, but takes neither NUL nor lone surrogates: `comparable_json_1` puts other characters in their place,
 * no two texts alike.
 */
export const COMMIT_COMMAND_WITHOUT_OUTBOX = `
create or replace function commit_command_1(
  p_command jsonb, p_now bigint,
  out outcome jsonb, out changed boolean,
  out principal text, out kind text, out state_before text, out state_after text, out last_seq bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_id text := p_command->>'task';
  v_expect jsonb := p_command->'expect';
  v_claim jsonb := p_command->'claim';
  v_task tasks%rowtype;
  v_known boolean;
  v_owner text;
  v_event jsonb;
  v_entry jsonb;
  v_status jsonb;
  v_state text;
  v_appends boolean := false;
  v_replaces boolean := false;
  v_events jsonb[] := '{}';
  v_document text;
  v_there text;
  v_add_keys text[] := '{}';
  v_add_bodies text[] := '{}';
  v_take text[] := '{}';
  v_epoch bigint;
  v_run text;
  v_index int := 0;
begin
  changed := false;
  select * into v_task from tasks t where t.task_id = v_id for no key update;
  v_known := found;
  -- A clock that was set back takes no task back in time.
  if v_known then p_now := greatest(p_now, v_task.updated_at); end if;
  if p_command ? 'create' then
    if v_known then outcome := '{"refused": ["exists"]}'; return; end if;
    v_task.task_id := v_id;
    v_task.context_id := p_command->'create'->>'context';
    v_task.principal := p_command->'create'->>'principal';
    v_task.kind := p_command->'create'->>'kind';
    v_task.reference_task_ids := p_command->'create'->>'references';
    v_task.state := 'submitted';
    v_task.status_at := p_now;
    v_task.created_at := p_now;
    v_task.last_seq := 0;
    v_task.epoch := 1;
    v_task.revision := 0;
  elsif not v_known then
    outcome := '{"refused": ["unknown"]}'; return;
  end if;
  principal := v_task.principal;
  kind := v_task.kind;
  state_before := case when v_known then v_task.state end;

  if v_expect is not null and not (
    (not v_expect ? 'epoch' or (v_expect->>'epoch')::bigint = v_task.epoch)
    and (not v_expect ? 'revision' or (v_expect->>'revision')::bigint = v_task.revision)
    and (not v_expect ? 'states' or v_expect->'states' ? v_task.state)
    and (not v_expect ? 'run' or v_expect->>'run' is not distinct from v_task.run_id)
  ) then
    outcome := '{"refused": ["fenced"]}'; return;
  end if;

  if v_claim is not null then
    select m.task_id into v_owner from task_messages m
      where m.principal = v_claim->>'principal' and m.message_id = v_claim->>'message';
    if found then outcome := jsonb_build_object('refused', jsonb_build_array('seen', v_owner)); return; end if;
  end if;

  select coalesce(array_agg(n.event order by n.ordinal), '{}') into v_events from (
    select e.event, e.ordinal, row_number() over (partition by e.event->>'key' order by e.ordinal) as time
    from jsonb_array_elements(p_command->'events') with ordinality as e(event, ordinal)
  ) n where n.time = 1 and not (v_known and exists (
    select from task_events t where t.task_id = v_id and t.event_key = n.event->>'key'));
  v_state := v_task.state;
  foreach v_event in array v_events loop
    if v_state in ('completed', 'failed', 'canceled', 'rejected') then
      outcome := jsonb_build_object('refused', jsonb_build_array('over', v_state)); return;
    end if;
    if v_event ? 'state' then v_status := v_event; v_state := v_event->>'state'; end if;
    v_appends := v_appends or v_event ? 'artifact';
    v_replaces := v_replaces or (v_event->>'replaces')::boolean is true;
  end loop;

  v_document := p_command->>'document';
  if v_document is not null and exists (
    select from task_documents d where d.task_id = v_id and d.body = v_document
  ) then v_document := null; end if;

  for v_entry in select value from jsonb_array_elements(p_command->'add') loop
    v_there := v_add_bodies[array_position(v_add_keys, v_entry->>'key')];
    if v_there is null then
      select i.body into v_there from task_inbox i where i.task_id = v_id and i.entry_key = v_entry->>'key';
    end if;
    if v_there is null then
      v_add_keys := array_append(v_add_keys, v_entry->>'key');
      v_add_bodies := array_append(v_add_bodies, v_entry->>'body');
    elsif v_there <> v_entry->>'body'
      and comparable_json_1(v_there) <> comparable_json_1(v_entry->>'body') then
      outcome := jsonb_build_object('refused', jsonb_build_array('conflict', v_index)); return;
    end if;
    v_index := v_index + 1;
  end loop;

  select coalesce(array_agg(distinct t.key), '{}') into v_take
    from jsonb_array_elements_text(p_command->'take') as t(key)
    where t.key = any(v_add_keys) or exists (
      select from task_inbox i where i.task_id = v_id and i.entry_key = t.key and i.taken_at is null);

  v_epoch := v_task.epoch + case when (p_command->>'bump')::boolean then 1 else 0 end;
  v_run := case when p_command ? 'run' then p_command->>'run' when v_epoch = v_task.epoch then v_task.run_id end;
  last_seq := v_task.last_seq + cardinality(v_events);
  state_after := v_state;
  changed := not v_known or v_claim is not null or v_document is not null
    or v_epoch <> v_task.epoch or v_run is distinct from v_task.run_id
    or cardinality(v_events) + cardinality(v_add_keys) + cardinality(v_take) > 0;
  outcome := jsonb_build_object('done', jsonb_build_array(
    last_seq, v_epoch, v_task.revision + changed::int, cardinality(v_events), changed));
  if not changed then return; end if;

  if not v_known then
    insert into tasks (
      task_id, context_id, principal, kind, state, status_message, status_at, created_at, updated_at,
      last_seq, epoch, revision, run_id, reference_task_ids
    ) values (
      v_id, v_task.context_id, v_task.principal, v_task.kind, v_state, v_status->>'status', p_now, p_now, p_now,
      last_seq, v_epoch, 1, v_run, v_task.reference_task_ids
    ) on conflict do nothing;
    if not found then
      changed := false; outcome := '{"refused": ["exists"]}'; return;
    end if;
  elsif v_status is not null then
    update tasks t set state = v_state, status_message = v_status->>'status', status_at = p_now, updated_at = p_now,
      last_seq = commit_command_1.last_seq, epoch = v_epoch, revision = v_task.revision + 1, run_id = v_run
      where t.task_id = v_id;
  else
    update tasks t set updated_at = p_now,
      last_seq = commit_command_1.last_seq, epoch = v_epoch, revision = v_task.revision + 1, run_id = v_run
      where t.task_id = v_id;
  end if;

  if v_claim is not null then
    insert into task_messages (principal, message_id, task_id)
      values (v_claim->>'principal', v_claim->>'message', v_id) on conflict do nothing;
    if not found then
      select m.task_id into v_owner from task_messages m
        where m.principal = v_claim->>'principal' and m.message_id = v_claim->>'message';
      raise exception sqlstate 'CA001' using
        message = jsonb_build_object('refused', jsonb_build_array('seen', v_owner))::text;
    end if;
  end if;

  if cardinality(v_events) > 0 then
    insert into task_events (task_id, seq, event_key, logged_at, body, artifact_id, messages)
      select v_id, v_task.last_seq + n.ordinal, n.event->>'key', p_now, n.event->>'body', n.event->>'artifact',
        (n.event->>'messages')::int
      from unnest(v_events) with ordinality as n(event, ordinal);
  end if;
  if v_appends then
    insert into task_artifacts (task_id, artifact_id, first_seq, start_seq)
      select v_id, n.event->>'artifact', v_task.last_seq + min(n.ordinal), v_task.last_seq + min(n.ordinal)
      from unnest(v_events) with ordinality as n(event, ordinal)
      where n.event ? 'artifact' group by 2 on conflict do nothing;
  end if;
  if v_replaces then
    update task_artifacts a set start_seq = v_task.last_seq + r.ordinal from (
      select n.event->>'artifact' as artifact, max(n.ordinal) as ordinal
      from unnest(v_events) with ordinality as n(event, ordinal)
      where (n.event->>'replaces')::boolean group by 1
    ) r where a.task_id = v_id and a.artifact_id = r.artifact;
  end if;

  if v_document is not null then
    insert into task_documents as d (task_id, body) values (v_id, v_document)
      on conflict (task_id) do update set body = excluded.body;
  end if;
  if cardinality(v_add_keys) > 0 then
    insert into task_inbox (task_id, entry_key, body, revision, ordinal)
      select v_id, n.key, n.body, v_task.revision + 1, n.ordinal - 1
      from unnest(v_add_keys, v_add_bodies) with ordinality as n(key, body, ordinal);
  end if;
  if cardinality(v_take) > 0 then
    update task_inbox i set taken_at = p_now where i.task_id = v_id and i.entry_key = any(v_take);
  end if;
end $$;
`;
