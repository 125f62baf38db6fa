import {join} from 'node:path';
import {checkRunParts} from '../../agent/check-routes.ts';
import {isPlatformName} from '../../config/platforms/platform-keys.ts';
import {checkDelivery} from '../../delivery/check-delivery.ts';
import {type Destination} from '../../util/destinations.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';

// The parts that a route or a scheduled job names for its runs.

/** The place of a key of the route or job, with its file. */
export type KeyPlace = (key: string) => string;

type PlatformPlaces = Pick<CheckedProfile, 'loaded' | 'keyPlace' | 'paths'>;

type Part = {readonly check: string; readonly place: KeyPlace};

/** Skills that cannot be loaded, and names of toolsets that mean nothing. */
export async function runTroubles(
	{loaded, command, paths}: Pick<CheckedProfile, 'loaded' | 'command' | 'paths'>,
	{check, place, ...parts}: Part & Parameters<typeof checkRunParts>[0],
): Promise<readonly Finding[]> {
	const servers = [...loaded.config.servers, ...loaded.config.brokenServers].map(({name}) => name);
	const flaws = await checkRunParts(parts, {skillsFolder: paths.skills, servers});
	return flaws.map(flaw => {
		const remedy =
			flaw.part === 'skill'
				? `Write the skill into ${join(paths.skills, flaw.name, 'SKILL.md')}, or remove it from ${place('skills')}`
				: `Correct ${place('toolsets')}; ${command('mcp', 'list')} shows the servers`;
		return trouble(check, 'warning', {message: flaw.problem.message, remedy});
	});
}

/** Targets that nothing can be delivered to, as far as known in advance. */
export async function deliveryTroubles(
	profile: Pick<CheckedProfile, 'loaded' | 'keyPlace' | 'paths' | 'platforms'>,
	{
		check,
		place,
		deliver,
		onFailure = [],
	}: Part & {
		readonly deliver: readonly Destination[];
		readonly onFailure?: readonly Destination[] | undefined;
	},
): Promise<readonly Finding[]> {
	const troublesOf = async ({target, extra}: Destination, sent: string) =>
		(await checkDelivery({target, extra}, profile.platforms)).map(({message}) =>
			trouble(check, 'error', {
				message: `${sent} cannot be delivered: ${message}`,
				remedy: deliveryRemedy(profile, {target, message, place}),
			}),
		);
	const found = [
		...deliver.map(destination => troublesOf(destination, 'Its answers')),
		...onFailure.map(destination => troublesOf(destination, 'Its messages about failures')),
	];
	return (await Promise.all(found)).flat();
}

/** The remedy for a target that nothing can be delivered to. */
function deliveryRemedy(
	profile: PlatformPlaces,
	{target, message, place}: {readonly target: string; readonly message: string; readonly place: KeyPlace},
): string {
	if (!isPlatformName(target)) {
		return `Set ${place('deliver')} to one of these targets`;
	}

	// The platform itself is fine: what a message needs is missing, as the message says.
	return message.startsWith('deliver ')
		? `Set the missing value in ${place('deliver_extra')}, or \`home_channel\` of ${profile.keyPlace('platforms', target)}`
		: `${platformRemedy(profile, target, message)}, or set ${place('deliver')} to another target`;
}

/** The remedy that makes a platform usable. */
export function platformRemedy({loaded, keyPlace, paths}: PlatformPlaces, target: string, message: string): string {
	const platform = loaded.config.platforms.find(({name}) => name === target);
	if (platform?.state === 'disabled') {
		return `Set ${keyPlace('platforms', target, 'enabled')} to true`;
	}

	if (target === 'github_comment') {
		return 'Install gh (https://cli.github.com) and log in with `gh auth login`';
	}

	const [, key] = /^platforms\.\w+\.(\w+) /u.exec(message) ?? [];
	return key === undefined
		? `Correct ${keyPlace('platforms', target)}`
		: `Set ${keyPlace('platforms', target, key)}, or its variable in ${paths.env}`;
}
