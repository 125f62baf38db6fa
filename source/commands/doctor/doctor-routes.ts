import {access} from 'node:fs/promises';
import {join} from 'node:path';
import {type StatePaths, statePaths} from '../../config/read/state-paths.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type RouteRow} from '../../gateway/route-rows.ts';
import {type Problem} from '../../util/problem.ts';
import {findScript} from '../../webhooks/script/script.ts';
import {type CommandContext} from '../cli/command.ts';
import {ownEvents} from '../cli/in-process.ts';
import {type Session} from '../cli/session.ts';
import {listRoutes} from '../webhook/webhook-list.ts';
import {listSubscriptions, loadRoutes} from '../webhook/route-registry.ts';
import {type Finding, fine, problemFinding, trouble} from './finding.ts';

/** What a route leans on. */
type CheckOptions = {
	/** Of the running profile. */
	readonly paths: StatePaths;
	/** Whether another profile is served beside it: what its routes lean on lies in its own folders. */
	readonly serves: (profile: string) => boolean;
	/** Why a reference to a scheduled job means none; undefined when it means one. */
	readonly checkJob: (reference: string, profile: string | undefined) => Problem | undefined;
};

/** Every route and subscription, with what it leans on. Rejects with the problem of a subscriptions file that cannot be read. */
export async function checkRoutes(context: CommandContext, session: Session): Promise<readonly Finding[]> {
	const registry = await loadRoutes(session);
	const routes = [
		...registry.webhook.routes,
		...registry.webhook.brokenRoutes.flatMap(({route}) => (route ? [route] : [])),
		...listSubscriptions(registry).flatMap(({route}) => (route ? [route] : [])),
	];
	const rows = await listRoutes(context, registry, ownEvents(session));
	const findings = await Promise.all(
		rows.map(row => {
			const route = routes.find(({name}) => name === row.name);
			return routeFindings(row, route, {...registry, paths: session.paths});
		}),
	);
	return findings.flat();
}

/** A route as `webhook list` sees it, and everything it names: script, skills, scheduled job. */
export async function routeFindings(
	row: RouteRow,
	route: RouteConfig | undefined,
	options: CheckOptions,
): Promise<readonly Finding[]> {
	const check = `route ${row.name}`;
	const own = [status(check, row), ...(route ? await dependencies(check, route, options) : [])];
	const troubles = own.filter(finding => finding.level !== 'ok');
	return troubles.length > 0 ? troubles : own.slice(0, 1);
}

function status(check: string, {state, reason, source, deliver}: RouteRow): Finding {
	const remedy = source === 'config' ? 'Fix it in config.yaml' : 'Change it with `sluice webhook subscribe`';
	switch (state) {
		case 'served':
			return reason === null
				? fine(check, `It is active and delivers to ${deliver}`)
				: trouble(check, 'warning', {message: reason, remedy});
		case 'paused':
			return fine(check, 'It is paused');
		case 'off':
			return fine(check, reason ?? state);
		case 'shadowed':
			return trouble(check, 'warning', {message: reason ?? 'A route in config.yaml has the same name', remedy});
		case 'failed':
			return trouble(check, 'error', {message: reason ?? 'It is not served', remedy});
	}
}

async function dependencies(check: string, route: RouteConfig, options: CheckOptions): Promise<readonly Finding[]> {
	const {script, skills, cronJob, profile = options.paths.profile} = route;
	const {checkJob, serves} = options;
	const paths = serves(profile) ? statePaths({root: options.paths.root, profile}) : options.paths;
	const missingJob = cronJob === undefined ? undefined : checkJob(cronJob, profile);
	const missingScript = script !== undefined && (await findScript(paths.scripts, script)) === undefined;
	const absentSkills = await Promise.all(skills.map(async skill => ((await hasSkill(paths, skill)) ? [] : [skill])));
	return [
		...(missingScript
			? [
					trouble(check, 'error', {
						message: `There is no script ${script} in scripts/`,
						remedy: `Put it in ${paths.scripts}`,
					}),
				]
			: []),
		...absentSkills.flat().map(skill =>
			trouble(check, 'warning', {
				message: `There is no skill ${skill}`,
				remedy: `Create ${join(paths.skills, skill, 'SKILL.md')}`,
			}),
		),
		...(missingJob ? [problemFinding(check, missingJob)] : []),
	];
}

function hasSkill(paths: StatePaths, skill: string): Promise<boolean> {
	// A name that leads out of the folder is none of a skill.
	return /[/\\]|^\.+$/u.test(skill)
		? Promise.resolve(false)
		: access(join(paths.skills, skill, 'SKILL.md')).then(
				() => true,
				() => false,
			);
}
