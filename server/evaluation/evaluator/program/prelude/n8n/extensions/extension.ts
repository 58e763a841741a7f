/** Methods that n8n adds to values of a type. */
export type MethodsByName<Value> = Readonly<Record<string, (value: Value, ...given: unknown[]) => unknown>>;
