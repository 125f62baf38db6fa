/** `service install --json`: the gateway that runs as the service now. */
export type InstalledServiceJson = {
	readonly name: string;
	readonly path: string;
	readonly version: string;
	readonly pid: number;
};

/** `service remove --json`; `removed` is false where none was installed. */
export type RemovedServiceJson = {readonly name: string; readonly path: string; readonly removed: boolean};
