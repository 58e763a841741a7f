/** What the navigation says about the runs that wait for a person, and where it leads. `firstId`: one of them. */
export function describeWaitingRuns(count: number, firstId: string | undefined) {
  return {
    label: count === 1 ? '1 run waits for a decision' : `${count} runs wait for a decision`,
    badge: count > 99 ? '99+' : String(count),
    href: count === 1 && firstId !== undefined ? `/executions/${firstId}` : '/executions?status=paused',
  };
}
