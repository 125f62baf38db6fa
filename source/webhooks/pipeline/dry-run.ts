import {type Clock} from '../../util/clock.ts';
import {type Destination, targetNames} from '../../util/destinations.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {claimed, safeText} from '../../util/safe-text.ts';
import {replyTo} from '../http/outcome.ts';
import {type PreparedRoute} from '../routes/prepared-route.ts';
import {findServedRoute, type RouteTable, type ServedProfiles} from '../routes/route-table.ts';
import {type RunScript} from '../script/script.ts';
import {renderDestinations, renderPrompt} from '../template/template.ts';
import {type RecentEvent, warnOfUnresolved} from '../template/unresolved-variables.ts';
import {type ReplayableEvent} from './request-handler.ts';
import {receive} from './receive.ts';
import {type AcceptableEvent, createRequestContext} from './request-context.ts';

/** The action that a route would take for an event. `action` is absent when it would take none. */
export type DryRun = {
	readonly route: string;
	readonly event: string;
	readonly status: number;
	readonly outcome: string;
	readonly reason: string | null;
	readonly filters: 'passed' | 'refused' | 'not reached';
	/** The filter that rejected it. */
	readonly filter: string | null;
	/** The output of the script, or why it failed. */
	readonly script_output: string | null;
	/** Warnings about the route. */
	readonly warnings: readonly string[];
	readonly action?: {
		readonly kind: 'agent' | 'deliver-only' | 'cron-job';
		/** The job it would fire. */
		readonly cron_job?: string;
		readonly prompt: string;
		/** The targets, separated by commas. */
		readonly deliver: string;
		/** The keys of a single target. */
		readonly deliver_extra: JsonObject;
		readonly targets: readonly Destination[];
	};
};

/** The input of a dry run. `deliveryId` is that of a stored event: its headers alone do not show which id was signed. */
type TriedEvent = {
	readonly body: Uint8Array;
	readonly headers: Readonly<Record<string, string>>;
	readonly deliveryId?: string;
	/** The sizes of the files of a stored event, whose contents are not in its body. */
	readonly fileSizes?: readonly number[];
};

/** Dependencies of a dry run. */
export type DryRunOptions = {
	readonly clock: Clock;
	readonly maxBodyBytes: number;
	readonly runScript: RunScript;
	/** Stored events of the route, to compare its templates with. */
	readonly recent: readonly RecentEvent[];
};

/**
Takes a body through the steps after the signature and stops before the route would act (docs/webhook-routes.md, Dry run and replay).
The script of the route runs; nothing is stored, counted or sent.
*/
export async function dryRun(request: TriedEvent, route: PreparedRoute, options: DryRunOptions): Promise<DryRun> {
	const context = createRequestContext(options.clock, new Map(Object.entries(request.headers)));
	let reached: AcceptableEvent | undefined;
	const verified = {...route, auth: {kind: 'unsafe-none'} as const};
	const outcome = await receive(
		{
			context,
			accepted: {route: verified, signature: storedSignature(request)},
			body: request.body,
			fileSizes: request.fileSizes,
		},
		{
			maxBodyBytes: options.maxBodyBytes,
			takeQuota: () => undefined,
			onLegacySignature: () => undefined,
			runScript: options.runScript,
			async dispatch(event) {
				reached = event;
				const {name, action, deliver} = event.route;
				const deliveryId = event.deliveryId.id;
				return action === 'agent'
					? {kind: 'accepted', route: name, event: context.event, deliveryId}
					: {kind: 'delivered', route: name, target: targetNames(deliver), deliveryId};
			},
		},
	);
	const {status, name, reason} = replyTo(outcome);
	return {
		route: route.config.name,
		event: context.event,
		status,
		outcome: name,
		reason: reason ?? null,
		filters: reached ? 'passed' : outcome.kind === 'filtered' ? 'refused' : 'not reached',
		filter: context.trace.filter ?? null,
		script_output: context.trace.script ?? null,
		warnings: [await warnOfUnresolved(route.config, options.recent)].filter(warning => warning !== undefined),
		...(reached && {action: actionOf(reached)}),
	};
}

/** Dry-runs a stored event through its current route; undefined when the route does not exist. The script of the route runs. */
export type TryStored = (
	event: TriedEvent & Pick<ReplayableEvent, 'route'>,
	recent: readonly RecentEvent[],
) => Promise<DryRun | undefined>;

/** Creates the dry runs of stored events: through the current routes, with their scripts. */
export function createDryRuns(options: {
	readonly clock: Clock;
	readonly profiles: ServedProfiles;
	readonly table: () => RouteTable;
	readonly runScript: RunScript;
}): TryStored {
	const {clock, profiles, runScript} = options;
	return async (event, recent) => {
		const table = options.table();
		const route = findServedRoute(table, event.route, profiles);
		return route && dryRun(event, route, {clock, maxBodyBytes: table.maxBodyBytes, runScript, recent});
	};
}

/** The signature of a stored event was verified on arrival. */
function storedSignature({deliveryId: signedId}: TriedEvent) {
	const name = 'verified when it came';
	return signedId === undefined ? undefined : ({scheme: 'current', name, signedId, isSigned: () => true} as const);
}

function actionOf({route, scope}: AcceptableEvent): DryRun['action'] {
	const targets = renderDestinations(route.deliver, scope);
	return {
		kind: route.cronJob === undefined ? route.action : 'cron-job',
		...(route.cronJob !== undefined && {cron_job: route.cronJob}),
		prompt: renderPrompt(route.prompt, scope),
		deliver: targetNames(targets),
		deliver_extra: (targets.length === 1 && targets[0]?.extra) || {},
		targets,
	};
}

const shownCharacters = 20_000;

/** A dry run for a person: one fact per line, then the prompt. */
export function dryRunText(run: DryRun): string {
	const prompt = dryRunPrompt(run);
	return `${[...dryRunFacts(run), ...(prompt === undefined ? [] : ['', prompt])].join('\n')}\n`;
}

/** The rendered prompt, safe to show; undefined when the route would do nothing. */
export function dryRunPrompt({action}: DryRun): string | undefined {
	return action && safeText(action.prompt, {multiline: true, maximumCharacters: shownCharacters});
}

/** Everything but the prompt, one fact per line, safe to show. */
export function dryRunFacts(run: DryRun): readonly string[] {
	const {route, event, status, outcome, reason, filters, filter, script_output: script, action, warnings} = run;
	const verdict = [status, outcome, reason].filter(word => word !== null).join(' ');
	const lines = [
		`route: ${route}`,
		`event: ${claimed('', event)}`,
		`verdict: ${verdict}`,
		`filters: ${filters}${filter === null ? '' : ` by ${filter}`}`,
		...(script === null ? [] : [`script: ${script}`]),
		...(action
			? [
					`action: ${action.kind}${action.cron_job === undefined ? '' : ` ${action.cron_job}`}`,
					`deliver: ${action.deliver}`,
					...action.targets.map(
						({target, extra}) =>
							`deliver_extra${action.targets.length === 1 ? '' : ` of ${target}`}: ${JSON.stringify(extra)}`,
					),
				]
			: ['action: none']),
		...warnings.map(warning => `warning: ${warning}`),
	];
	return lines.map(line => safeText(line));
}
