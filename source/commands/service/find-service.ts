import {homedir, userInfo} from 'node:os';
import {loadConfig} from '../../config/read/load-config.ts';
import {readTextFile} from '../../config/values/text-file.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {launchdManager} from './launchd-manager.ts';
import {createRunTool} from '../cli/run-tool.ts';
import {compareFile, programPaths, type ServiceFile, serviceTarget, stableNode} from './service-file.ts';
import {type ServiceManager} from './service-manager.ts';
import {systemdManager} from './systemd-manager.ts';

/** This process, as far as a service depends on it. */
export type Host = {
	readonly platform: NodeJS.Platform;
	readonly uid: number;
	readonly execPath: string;
	/** The program as it was started. */
	readonly program: string;
	/** The home directory of the user as the system knows it. A service gets this one, whatever HOME is here, as under `sudo -E`. */
	readonly home: string;
};

/** The service of the profile of this start, and its file as it is now. */
export type Service = {
	readonly manager: ServiceManager;
	readonly file: ServiceFile;
	/** Seconds that a stop may take by the present configuration. */
	readonly stopSeconds: number;
};

/** This process. */
export function thisHost(): Host {
	const {platform, execPath, argv} = process;
	return {platform, uid: process.getuid?.() ?? 0, execPath, program: argv[1] ?? '', home: homeOfUser()};
}

function homeOfUser(): string {
	try {
		return userInfo().homedir;
	} catch {
		// The system does not know the user, as in some containers.
		return homedir();
	}
}

/** Finds the service manager of this system, and reads the file of the service. Rejects with `service_unavailable` where there is none. */
export async function findService(
	context: Pick<CommandContext, 'clock' | 'signal'>,
	session: Pick<Session, 'paths' | 'environment'>,
	host: Host,
): Promise<Service> {
	const {platform, uid, home} = host;
	const {clock, signal} = context;
	const {environment, paths} = session;
	const node = stableNode(host.execPath);
	const {config} = await loadConfig(session);
	const [target, ...sameTargets] = programPaths(host.program).map(program =>
		serviceTarget(paths, {node, program, platform, home}, config.gateway.drainDelaySeconds),
	);
	if (!target || (platform !== 'linux' && platform !== 'darwin')) {
		throw new Problem('service_unavailable', {
			message: `Sluice works with the service managers systemd and launchd, but with none on ${platform}`,
		});
	}

	const run = createRunTool({environment, clock, signal, ...target});
	const parts = {target, sameTargets, uid, clock, signal, run};
	const manager =
		platform === 'darwin' ? launchdManager(parts) : systemdManager({...parts, variables: environment.variables});
	const file = compareFile(await readTextFile(manager.path), {wanted: manager.texts, root: paths.root});
	return {manager, file, stopSeconds: target.stopSeconds};
}
