import {type Clock} from '../util/clock.ts';
import {type AcceptableEvent} from './acceptable-event.ts';
import {replyTo} from './outcome.ts';
import {type PreparedRoute} from './prepared-route.ts';
import {receive, type ReceiveOptions} from './receive.ts';
import {renderExtra, renderPrompt} from './template.ts';
import {findUnseenVariables, type SeenEvent, unseenWarning} from './unseen-variables.ts';
import {openVisit} from './visit.ts';

/** What a route would do with an event. `action` is absent when it would do nothing. */
export type DryRun = {
	readonly route: string;
	readonly event: string;
	readonly status: number;
	readonly outcome: string;
	readonly reason: string | null;
	readonly filters: 'passed' | 'refused' | 'not reached';
	/** The filter that refused it. */
	readonly filter: string | null;
	/** What the script wrote, or why it did no work. */
	readonly script_output: string | null;
	/** What is doubtful about the route. */
	readonly warnings: readonly string[];
	readonly action?: {
		readonly kind: 'agent' | 'deliver-only' | 'cron-job';
		/** The job it would fire. */
		readonly cron_job?: string;
		readonly prompt: string;
		readonly deliver: string;
		readonly deliver_extra: ReturnType<typeof renderExtra>;
	};
};

/** What a dry run needs. */
export type DryRunOptions = {
	readonly clock: Clock;
	readonly maxBodyBytes: number;
	readonly runScript: ReceiveOptions['runScript'];
	/** Stored events of the route, to compare its templates with. */
	readonly seen: readonly SeenEvent[];
};

/** Takes a body through the rungs behind the signature and stops where the route would act (spec/decisions.md, D10.7). The script of the route runs; nothing is kept, counted or sent. */
export async function dryRun(
	request: {readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>>},
	route: PreparedRoute,
	options: DryRunOptions,
): Promise<DryRun> {
	const visit = openVisit(options.clock, new Map(Object.entries(request.headers)));
	let reached: AcceptableEvent | undefined;
	const verified = {...route, gate: {kind: 'unsafe-none'} as const};
	const outcome = await receive(
		{visit, admission: {kind: 'admitted', route: verified, claim: undefined}, body: request.body},
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
					? {kind: 'accepted', route: name, event: visit.event, deliveryId}
					: {kind: 'delivered', route: name, target: deliver, deliveryId};
			},
		},
	);
	const {status, name, reason} = replyTo(outcome);
	return {
		route: route.config.name,
		event: visit.event,
		status,
		outcome: name,
		reason: reason ?? null,
		filters: reached ? 'passed' : outcome.kind === 'filtered' ? 'refused' : 'not reached',
		filter: visit.trace.filter ?? null,
		script_output: visit.trace.script ?? null,
		warnings: [unseenWarning(await findUnseenVariables(route.config, options.seen))].filter(
			warning => warning !== undefined,
		),
		...(reached && {action: actionOf(reached)}),
	};
}

function actionOf({route, scope}: AcceptableEvent): DryRun['action'] {
	return {
		kind: route.cronJob === undefined ? route.action : 'cron-job',
		...(route.cronJob !== undefined && {cron_job: route.cronJob}),
		prompt: renderPrompt(route.prompt, scope),
		deliver: route.deliver,
		deliver_extra: renderExtra(route.deliverExtra, scope),
	};
}
