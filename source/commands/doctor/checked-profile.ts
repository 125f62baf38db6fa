import {type SettingScope} from '../../config/platforms/platform-settings.ts';
import {readConfigFile} from '../../config/read/file.ts';
import {loadConfig, type LoadedConfig} from '../../config/read/load-config.ts';
import {defaultProfile, type StatePaths, statePaths} from '../../config/read/state-paths.ts';
import {createExpand} from '../../config/secrets/variables.ts';
import {type KeyPath, keyPathText} from '../../config/values/problem-list.ts';
import {type Documents} from '../../config/values/stored-document.ts';
import {type ControlClient} from '../../control/client.ts';
import {platformChecks, type Platforms} from '../../delivery/open-platforms.ts';
import {shellWord} from '../../util/named-commands.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {type Session} from '../cli/session.ts';
import {type Finding} from './finding.ts';
import {problemFinding} from './remedy.ts';

/** A profile as doctor looks at it: its files, and the gateway that serves it. Nothing of it is changed. */
export type CheckedProfile = {
	readonly paths: StatePaths;
	readonly loaded: LoadedConfig;
	readonly scope: SettingScope;
	readonly platforms: Pick<Platforms, 'problems' | 'settings'>;
	/** Stored documents besides the configuration, at the place of the gateway's journal. */
	readonly documents: Documents;
	/** The running gateway; undefined when none answers for this profile. */
	readonly client: ControlClient | undefined;
	/** Findings of the attempt to reach the gateway. */
	readonly findings: readonly Finding[];
	/** The name of a check, with the profile unless it is the one doctor was started for. */
	readonly checkName: (check: string) => string;
	/** A command of the program as a person types it for this profile: `` `sluice --profile work mcp login files` ``. */
	readonly command: (...words: readonly string[]) => string;
	/** A key with its file and line; the line is that of the mapping it belongs into when it is not there. */
	readonly keyPlace: (...keys: KeyPath) => string;
	/** Hangs up. */
	readonly close: () => void;
};

/** Reads a profile and connects to its gateway. Rejects only for a name that is none of a profile. */
export async function openCheckedProfile(
	session: Session,
	profile: string,
	signal: AbortSignal,
): Promise<Omit<CheckedProfile, 'documents'>> {
	const {environment, clock, flags} = session;
	const isOwn = profile === session.paths.profile;
	const {runtimeDirectory} = environment;
	const paths = isOwn ? session.paths : statePaths({root: session.paths.root, profile, runtimeDirectory});
	const loaded = await loadConfig({paths, environment});
	const scope = {variables: loaded.secrets.variables, expand: createExpand(loaded.secrets, environment)};
	const file = await readConfigFile(paths.config);
	const checkName = (check: string) => (isOwn ? check : `${check} (profile ${profile})`);
	const connected = await connect({paths, clock, signal}, checkName('gateway'));
	return {
		paths,
		loaded,
		scope,
		platforms: platformChecks({configured: () => loaded.config.platforms, scope}),
		...connected,
		close: () => connected.client?.close(),
		checkName,
		command(...words) {
			const home = flags.home === undefined ? [] : ['--home', paths.root];
			const named = profile === defaultProfile ? [] : ['--profile', profile];
			return `\`${['sluice', ...home, ...named, ...words].map(shellWord).join(' ')}\``;
		},
		keyPlace(...keys) {
			const line = file.kind === 'read' ? file.locate(keys, 'key')?.line : undefined;
			return `\`${safeText(keyPathText(keys))}\` (${paths.config}${line === undefined ? '' : `, line ${line}`})`;
		},
	};
}

async function connect(
	options: Parameters<typeof connectGateway>[0],
	check: string,
): Promise<Pick<CheckedProfile, 'client' | 'findings'>> {
	try {
		return {client: await connectGateway(options), findings: []};
	} catch (error) {
		return {client: undefined, findings: [problemFinding(check, toProblem(error))]};
	}
}
