import {readdir} from 'node:fs/promises';
import {platformChecks} from '../delivery/open-platforms.ts';
import {type RunAbilities} from '../journal/rows/node-rows.ts';
import {type ConnectionState} from '../mcp/session/connection-state.ts';
import {type Profile, type Profiles} from './services/profiles.ts';

/** The parts of runs that the profiles of this gateway have (docs/postgresql.md, Several machines). */
type Abilities = {
	/** As other gateways are to count on them: servers that are connected now. The names of skills are those of the last look at their folders. */
	readonly published: () => Readonly<Record<string, RunAbilities>>;
	/** As this gateway counts on them: also servers that the first call starts. */
	readonly of: (profile: string) => RunAbilities;
};

/** Other gateways read all names at every heartbeat. */
const maxNames = 500;

/** Watches the profiles; nothing is read before it is asked for. */
export function createAbilities({all, find}: Pick<Profiles, 'all' | 'find'>): Abilities {
	const skills = new Map<string, readonly string[]>();
	const look = async ({name, context}: Profile) => {
		const entries = await readdir(context.paths.skills).catch(() => []);
		skills.set(name, entries.slice(0, maxNames));
	};

	const abilitiesOf = (profile: Profile, wanted: ReadonlyArray<ConnectionState['kind']>): RunAbilities => ({
		servers: profile.tools.connections
			.list()
			.filter(connection => wanted.includes(connection.state().kind))
			.map(({config}) => config.name)
			.slice(0, maxNames),
		skills: skills.get(profile.name) ?? [],
		platforms: usablePlatforms(profile),
	});

	const lookAtAll = () => all.forEach(profile => void look(profile));
	lookAtAll();
	return {
		published() {
			lookAtAll();
			return Object.fromEntries(all.map(profile => [profile.name, abilitiesOf(profile, ['connected'])]));
		},
		of: name => abilitiesOf(find(name), ['connected', 'lazy']),
	};
}

function usablePlatforms({context: {current, expand}}: Profile): readonly string[] {
	const {config, secrets} = current();
	const {problems} = platformChecks({
		configured: () => config.platforms,
		scope: {expand, variables: name => secrets.variables(name)},
	});
	return config.platforms.flatMap(({name}) => (problems(name).length === 0 ? [name] : []));
}
