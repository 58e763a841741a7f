import { createObservableStore } from './store';

/** Whether calls of the service get an answer, and whether the browser has a network. */
export const connectionState = createObservableStore({ isUnreachable: false });

/** A call was answered, or not. */
export function noteAnswer(isAnswered: boolean): void {
  if (connectionState.get().isUnreachable === isAnswered) connectionState.set({ isUnreachable: !isAnswered });
}
