/**
 * The tables that can be partitioned, and the column of each that has the id of the run. Ids of runs begin with the
 * time: a range of ids is a range of time.
 */
export const PARTITIONED_TABLES = { execution: 'id', node_result: 'execution_id', log_entry: 'execution_id' } as const;

/**
 * The other tables with parts of a run, and the column that has its id. Where runs are partitioned, they have no
 * foreign key either.
 */
export const RUN_PART_TABLES = {
  decision: 'execution_id',
  execution_answer: 'execution_id',
  execution_annotation: 'execution_id',
  received_call: 'execution_id',
  file_use: 'execution_id',
  run_family: 'root_id',
} as const;
