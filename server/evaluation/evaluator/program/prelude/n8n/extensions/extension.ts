import { PreludeFailure } from '../failure';

/** Methods that n8n adds to values of a type. */
export type MethodsByName<Value> = Readonly<Record<string, (value: Value, ...given: unknown[]) => unknown>>;

/** Ends a method with a failure that n8n shows; other errors in an expression give no value there. */
export const refuseCall = (message: string): never => {
  throw new PreludeFailure(message);
};
