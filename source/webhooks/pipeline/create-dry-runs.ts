import {type AdapterOptions} from './adapter-options.ts';
import {type DryRun, dryRun} from './dry-run.ts';
import {createLogLines} from '../http/log-lines.ts';
import {findRoute, type RouteTable} from '../routes/route-table.ts';
import {createScripts} from '../script/script.ts';
import {type RecentEvent} from '../template/unresolved-variables.ts';
import {type ReplayableEvent} from './handle-request.ts';

/** What the route of a stored event would do with it now; undefined when there is no such route. The script of the route runs. */
export type TryStored = (event: ReplayableEvent, seen: readonly RecentEvent[]) => Promise<DryRun | undefined>;

/** Wires the dry runs of an adapter: the routes as they stand, scripts as they run. */
export function createDryRuns(
	options: Pick<AdapterOptions, 'scripts' | 'otherProfile' | 'clock' | 'publish' | 'profile'>,
	{table, signal}: {readonly table: () => RouteTable; readonly signal: AbortSignal},
): TryStored {
	const {clock, profile: running, publish, scripts, otherProfile} = options;
	const serves = (name: string) => otherProfile?.(name) !== undefined;
	const runScript = createScripts({
		settings: scripts,
		settingsOf: name => otherProfile?.(name)?.scripts,
		clock,
		signal,
		reportFault: createLogLines(publish).scriptFault,
	});
	return async (event, seen) => {
		const {routes, maxBodyBytes} = table();
		const profile = routes.get(event.route)?.config.profile;
		const route = findRoute({routes}, {name: event.route, profile, running, serves});
		return route && dryRun(event, route, {clock, maxBodyBytes, runScript, seen});
	};
}
