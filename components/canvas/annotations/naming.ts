let unnamed: string | undefined;

/** The frame of this new group, drawn next, asks for its name. Undefined: none does. */
export function askForName(groupId: string | undefined): void {
  unnamed = groupId;
}

export const isUnnamed = (groupId: string): boolean => unnamed === groupId;
