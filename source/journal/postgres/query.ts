/** Carries out one statement with its `$1`, `$2` … and resolves with its rows: of a write on the connection of its transaction, of a read on any. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;
