import {type Clock} from '../../util/clock.ts';
import {type AcceptableEvent} from './acceptable-event.ts';
import {replyTo} from '../http/outcome.ts';
import {type PreparedRoute} from '../routes/prepared-route.ts';
import {receive, type ReceiveOptions} from './receive.ts';
import {renderExtra, renderPrompt} from '../template/template.ts';
import {findUnresolvedVariables, type RecentEvent, unresolvedWarning} from '../template/unresolved-variables.ts';
import {createRequestContext} from './request-context.ts';

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

/** What is tried. `deliveryId` is the one a stored event came with: its headers alone do not say which was signed. */
export type TriedEvent = {
	readonly body: Uint8Array;
	readonly headers: Readonly<Record<string, string>>;
	readonly deliveryId?: string;
};

/** What a dry run needs. */
export type DryRunOptions = {
	readonly clock: Clock;
	readonly maxBodyBytes: number;
	readonly runScript: ReceiveOptions['runScript'];
	/** Stored events of the route, to compare its templates with. */
	readonly seen: readonly RecentEvent[];
};

/** Takes a body through the steps behind the signature and stops where the route would act (docs/webhooks.md, Dry run and replay). The script of the route runs; nothing is kept, counted or sent. */
export async function dryRun(request: TriedEvent, route: PreparedRoute, options: DryRunOptions): Promise<DryRun> {
	const context = createRequestContext(options.clock, new Map(Object.entries(request.headers)));
	let reached: AcceptableEvent | undefined;
	const verified = {...route, auth: {kind: 'unsafe-none'} as const};
	const outcome = await receive(
		{context, accepted: {kind: 'admitted', route: verified, signature: claimOf(request)}, body: request.body},
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
					: {kind: 'delivered', route: name, target: deliver, deliveryId};
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
		warnings: [unresolvedWarning(await findUnresolvedVariables(route.config, options.seen))].filter(
			warning => warning !== undefined,
		),
		...(reached && {action: actionOf(reached)}),
	};
}

/** A stored event was verified when it came. */
function claimOf({deliveryId: signedId}: TriedEvent) {
	const name = 'verified when it came';
	return signedId === undefined ? undefined : ({scheme: 'current', name, signedId, isSigned: () => true} as const);
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
