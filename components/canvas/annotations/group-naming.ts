let unnamed: string | undefined;

/** Makes the frame of this new group ask for a name when it is drawn next. Undefined: no frame asks. */
export function askForGroupName(groupId: string | undefined): void {
  unnamed = groupId;
}

export const isAwaitingGroupName = (groupId: string): boolean => unnamed === groupId;
