import { createContext } from 'react';

/** The id of the folder that is open: workflows are created in it. Null: none. */
export const CurrentFolderContext = createContext<string | null>(null);
