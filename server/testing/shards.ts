/** Into how many parts long tables of cases are divided. */
const SHARDS = 4;

/** Which part runs: it follows from the commit. `TEST_SHARD` names another, or `all`. */
export const shard: string = process.env['TEST_SHARD'] ?? String(Number(process.env['TEST_SEED']) % SHARDS);

/** Whether the part that runs has the case with this number. */
export const isInShard = (index: number): boolean => shard === 'all' || (index + Number(shard)) % SHARDS === 0;

/** A quarter of the cases of a table; other commits try the others, and `npm run test:long` tries all. */
export const pickShard = <Case>(cases: readonly Case[]): Case[] => cases.filter((_, index) => isInShard(index));
