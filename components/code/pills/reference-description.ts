import type { PathSteps } from '@/components/ui/values/jsonata-path';

/** What a pill shows in place of a path to data. */
export interface ReferenceDescription {
  /** `Call API › body.id` */
  name: string;
  /** The value, in a few characters; empty: it is not known. */
  sample: string;
  /** What the path reads has not run: the sample is an example. */
  isExample: boolean;
}

/** Undefined: the path stays text. */
export type DescribeReference = (steps: PathSteps) => ReferenceDescription | undefined;

/** What screen readers say for a pill. */
export const spokenReference = ({ name, sample, isExample }: ReferenceDescription): string =>
  sample === '' ? name : `${name}, ${isExample ? 'for example ' : ''}${sample}`;
