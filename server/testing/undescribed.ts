/** Answers of the service that its API description does not have, since the last test. */
const found = new Set<string>();

export const noteUndescribed = (fault: string): unknown => found.add(fault);

/** Begins a line of a process about one of its answers. */
const MARK = 'Not as described: ';

export const printUndescribed = (fault: string): unknown => process.stdout.write(`${MARK}${fault}\n`);

/** Takes down what a process has printed. */
export function noteUndescribedIn(output: string): void {
  for (const line of output.split('\n')) if (line.startsWith(MARK)) noteUndescribed(line.slice(MARK.length));
}

/** Throws if there were any. */
export function requireDescribedAnswers(): void {
  const faults = [...found].slice(0, 10);
  found.clear();
  if (faults.length > 0) throw new Error(`Answers that the API description does not have:\n${faults.join('\n')}`);
}
