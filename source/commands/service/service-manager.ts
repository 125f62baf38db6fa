import {type ServiceTarget} from './service-file.ts';

/** The state of a service. */
export type ServiceState = {
	/** True if it starts by itself. */
	readonly enabled: boolean;
	/** `starting`: it was asked to, and no failure is known. */
	readonly run: 'running' | 'starting' | 'stopped' | 'failed';
	/** As the service manager words it. */
	readonly state: string;
	readonly pid: number | null;
	/** Milliseconds since the epoch. */
	readonly since: number | null;
	/** Seconds that its service manager lets a stop take; absent: unknown. */
	readonly stopSeconds?: number;
	/** The reason that it does not run, and the remedy if known. */
	readonly failure?: {readonly message: string; readonly remedy?: string};
	/** The service manager refuses to start it: `systemctl mask`. */
	readonly masked?: true;
};

/** A service of one profile at a service manager. Every function may reject with `service_unavailable`. */
export type ServiceManager = {
	readonly kind: 'systemd' | 'launchd';
	readonly name: string;
	/** The file that says what to run. */
	readonly path: string;
	/** The texts that this version writes there; all after the first mean the same. */
	readonly texts: readonly [string, ...string[]];
	/** Rejects when nothing can be done here: there is no such service manager, or it does not run for this user. */
	readonly check: () => Promise<void>;
	readonly state: () => Promise<ServiceState>;
	/** Commands that do the same as `start` once the file is written. */
	readonly startCommands: readonly string[];
	/** A folder that the file names, which has to be there. */
	readonly logs: string;
	/** Has the file read, and starts it now and at each login. One that runs is started again. Rejects with `service_failed`. */
	readonly start: () => Promise<void>;
	/** Stops it, now and at each login. Rejects with `service_failed`. */
	readonly stop: () => Promise<void>;
	/** The file is gone. */
	readonly forget: () => Promise<void>;
	/** The end of what it wrote to its log. */
	readonly lastLines: () => Promise<readonly string[]>;
	/** A command that shows its log. */
	readonly logCommand: string;
	/** True if it runs while the user is not logged in; null: unknown. */
	readonly lingers: () => Promise<boolean | null>;
	/** Notes for a person once it runs. */
	readonly notes: (lingers: boolean | null) => readonly string[];
};

/** The parts of a service manager. */
export type ServiceParts = {
	readonly target: ServiceTarget;
	/** The same with other paths to this program. */
	readonly sameTargets: readonly ServiceTarget[];
	readonly uid: number;
};
