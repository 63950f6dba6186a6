/**
 * `commit_group_1` carries out commands in their order, each in a subtransaction of its own, and answers their
 * outcomes as a JSON array. A writer numbers its groups: a number that comes again is not carried out again but gets
 * the same answer, and one that comes late, when a later one has been carried out, is refused with CA002. Rows that
 * all writers change (the counts) come last and in order, so that nobody waits for another in a circle.
 */
export const COMMIT_GROUP = `
create function commit_group_1(p_writer text, p_number bigint, p_now bigint, p_commands jsonb) returns text
language plpgsql as $$
declare
  v_group commit_groups%rowtype;
  v_command jsonb;
  v_result record;
  v_outcomes text[] := '{}';
  v_task text;
  v_principals text[] := '{}';
  v_kinds text[] := '{}';
  v_states text[] := '{}';
  v_deltas bigint[] := '{}';
  v_tasks text[] := '{}';
  v_seqs bigint[] := '{}';
  v_answer text;
begin
  -- Waits for an earlier attempt that the server has not finished.
  select * into v_group from commit_groups where writer = p_writer for update;
  if not found then
    insert into commit_groups values (p_writer, 0, '', p_now) on conflict do nothing;
    select * into v_group from commit_groups where writer = p_writer for update;
  end if;
  if v_group.number = p_number then return v_group.outcomes; end if;
  if v_group.number > p_number then
    raise exception sqlstate 'CA002' using message = 'a later group of this writer has been carried out';
  end if;

  for v_command in select value from jsonb_array_elements(p_commands) loop
    begin
      v_result := commit_command_1(v_command, p_now);
    exception
      when sqlstate 'CA001' then
        v_outcomes := array_append(v_outcomes, sqlerrm);
        continue;
      when data_exception or integrity_constraint_violation or program_limit_exceeded then
        v_outcomes := array_append(v_outcomes, jsonb_build_object('failed', jsonb_build_array(sqlstate, sqlerrm))::text);
        continue;
    end;
    v_outcomes := array_append(v_outcomes, v_result.outcome::text);
    if not v_result.changed then continue; end if;
    v_task := v_command->>'task';
    if v_tasks[cardinality(v_tasks)] = v_task then
      v_seqs[cardinality(v_seqs)] := v_result.last_seq;
    else
      v_tasks := array_append(v_tasks, v_task);
      v_seqs := array_append(v_seqs, v_result.last_seq);
    end if;
    if v_result.state_before is distinct from v_result.state_after then
      v_principals := v_principals || array[v_result.principal, v_result.principal];
      v_kinds := v_kinds || array[v_result.kind, v_result.kind];
      v_states := v_states || array[v_result.state_before, v_result.state_after];
      v_deltas := v_deltas || array[-1, 1]::bigint[];
    end if;
  end loop;

  v_answer := '[' || array_to_string(v_outcomes, ',') || ']';
  update commit_groups set number = p_number, outcomes = v_answer, committed_at = p_now where writer = p_writer;
  insert into task_counts as c (principal, kind, state, tasks)
    select n.principal, n.kind, n.state, sum(n.delta)
    from unnest(v_principals, v_kinds, v_states, v_deltas) as n(principal, kind, state, delta)
    where n.state is not null
    group by 1, 2, 3 having sum(n.delta) <> 0 order by n.principal collate "C", n.kind collate "C", n.state collate "C"
    on conflict (principal, kind, state) do update set tasks = c.tasks + excluded.tasks;
  -- A payload has less than 8000 bytes; of a task with such a name its followers learn when they poll.
  perform pg_notify('cleveragents_tasks', n.task || ':' || n.seq || ':' || p_writer)
    from unnest(v_tasks, v_seqs) as n(task, seq) where octet_length(n.task) < 7900;
  return v_answer;
end $$;
`;
