/** A value that is available now or later. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `next` with a value: at once if it is available, otherwise when its promise is fulfilled. Unlike `await`, an
 * available value costs no turn of the microtask queue. Rejections and errors of `next` pass through.
 */
export const chainValue = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** The same for a list: calls `next` at once if all values are available. */
export const chainAllValues = <T, R>(
  values: MaybePromise<T>[],
  next: (values: T[]) => MaybePromise<R>,
): MaybePromise<R> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values).then(next) : next(values as T[]);
