/** The type of a parameter of a failure. One with a question mark may be absent. */
export type FailureParameterType = 'text' | 'text?' | 'number' | 'number?';

/** What a code says: to people its title and its advice, to programs its parameters, and in logs its sentence. */
export interface FailureRecord {
  /** What failed. */
  title: string;
  /** What to do about it. */
  advice: string;
  /** A failure of a code with parameters has either all of them, or none and a message of its own. */
  parameters?: Readonly<Record<string, FailureParameterType>>;
  /**
   * The message of a failure with these parameters: `{name}` stands for a parameter. A part in brackets is left out if
   * a parameter in it is absent.
   */
  sentence?: string;
}

/** The parameters of one failure, as they are stored and sent. */
export type FailureParameters = Record<string, string | number>;

const OPTIONAL_PART_PATTERN = /\[([^[\]]*)\]/g;
const PARAMETER_PATTERN = /\{(\w+)\}/g;

/** The message of a failure, from the sentence of its record. */
export function writeFailureSentence(sentence: string, parameters: Readonly<Partial<FailureParameters>>): string {
  const isPresent = ([, name = '']: RegExpMatchArray) => parameters[name] !== undefined;
  return sentence
    .replace(OPTIONAL_PART_PATTERN, (_, part: string) =>
      [...part.matchAll(PARAMETER_PATTERN)].every(isPresent) ? part : '',
    )
    .replace(PARAMETER_PATTERN, (_, name: string) => String(parameters[name]));
}
