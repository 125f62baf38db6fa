import {z} from 'zod';
import {traceKinds} from '../state/trace.ts';
import {eventStatuses} from '../state/work-event.ts';
import {consoleMessageJson} from './console-message.ts';
import {jsonObject} from './entity-json.ts';
import {
	type MethodDescriptions,
	nothing,
	part,
	requestVersion,
	rowId,
	typedId,
	viewJson,
} from './method-description.ts';
import {callDetailJson, callPageJson, callRowJson, runDetailJson, runRowJson} from './run-wire.ts';
import {faultJson, heldJson, heldWorkJson, statusJson} from './status-wire.ts';
import {
	callJson,
	confirmationEndJson,
	cronJobJson,
	deliveryEndJson,
	deliveryRowJson,
	eventDetailJson,
	eventFilePartJson,
	eventRowJson,
	failedDeliveryJson,
	firedJobJson,
	handshakeEndJson,
	jobEditJson,
	newJobJson,
	redeliveryJson,
	reloadJson,
	replayJson,
	routeRowJson,
} from './wire.ts';

/** Kinds of names for completion in the shell (docs/cli.md, Conventions). */
const completedKind = z.enum([
	'approval',
	'question',
	'uncertain',
	'run',
	'call',
	'tool',
	'route',
	'job',
	'rule',
	'event',
	'delivery',
]);

/** One name or id with its description; the newest first. */
const completedNames = z.array(z.object({name: z.string(), summary: z.string()}));

/** So many rows fit into one line. */
const rowLimit = z.int().min(1).max(1000);
const rowPage = z.object({id: rowId, part});
const runId = z.object({run_id: z.string()});
const stored = ['files', 'journal'] as const;

/** The gateway itself, and what is connected with it. */
export const gatewayMethods = {
	status: {params: nothing, result: statusJson, needs: 'read'},
	'gateway.faults': {params: nothing, result: z.array(faultJson), needs: 'read'},
	reload: {params: nothing, result: reloadJson, needs: 'act'},
	stop: {params: nothing, result: nothing, needs: 'act'},
	hold: {
		params: z.object({reason: z.string().optional()}),
		result: z.object({answer: z.enum(['held', 'already-held']), held: heldJson}),
		notes: z.object({type: z.literal('hold.stored'), for: z.enum(['next-start', 'every-gateway'])}),
		needs: 'act',
		opens: ['files', 'lock'],
	},
	'hold.show': {
		params: nothing,
		result: z.object({held: heldJson.nullable(), waiting: z.array(heldWorkJson), queued_runs: z.int()}),
		needs: 'read',
		opens: ['files'],
	},
	unhold: {
		params: z.object({hash: z.string()}),
		result: z.object({answer: z.enum(['released', 'not-held', 'changed']), held: heldJson.nullable()}),
		needs: 'allow',
		opens: ['files', 'lock'],
	},
	'completion.names': {params: z.object({of: completedKind}), result: completedNames, needs: 'read'},
	'console.open': {
		params: z.object({
			mode: z.enum(['deciding', 'read-only']),
			terminal: z.string().max(200),
			browser: z.enum(['console', 'nowhere']),
		}),
		result: nothing,
		notes: consoleMessageJson,
		needs: 'read',
		deadline: 'none',
	},
	'console.here': {params: nothing, result: nothing, needs: 'read', caller: 'console'},
	'console.key': {params: nothing, result: nothing, needs: 'read', caller: 'console'},
	'request.cancel': {params: z.object({request: z.int()}), result: nothing, needs: 'read', caller: 'console'},
} satisfies Partial<MethodDescriptions>;

/** Runs, their calls, and what they are traced by. */
export const runMethods = {
	'calls.list': {params: z.object({limit: rowLimit}), result: z.array(callRowJson), needs: 'read', opens: stored},
	'calls.show': {params: typedId, result: callDetailJson.nullable(), needs: 'read', opens: stored},
	'calls.view': {params: rowPage, result: viewJson('view.page'), needs: 'read'},
	'calls.page': {
		params: z.object({since: z.number().nullable(), before: z.int().nullable()}),
		result: callPageJson,
		needs: 'read',
		opens: stored,
	},
	'calls.repeat': {
		params: z.object({id: rowId}),
		result: z.object({name: z.string(), call: callJson}),
		needs: 'act',
		deadline: 'none',
	},
	'calls.cancel': {params: z.object({id: rowId}), result: nothing, needs: 'act'},
	'decisions.view': {params: rowPage, result: viewJson('view.page'), needs: 'read'},
	'runs.list': {params: z.object({limit: rowLimit}), result: z.array(runRowJson), needs: 'read', opens: stored},
	'runs.show': {params: typedId, result: runDetailJson.nullable(), needs: 'read', opens: stored},
	'runs.view': {params: rowPage, result: viewJson('view.page'), needs: 'read'},
	'runs.start': {params: z.object({prompt: z.string()}), result: runId, needs: 'act'},
	'runs.follow-up': {params: z.object({id: rowId, prompt: z.string()}), result: runId, needs: 'act'},
	'runs.cancel': {params: typedId, result: runId, needs: 'act'},
	'runs.note': {params: typedId.extend({text: z.string()}), result: runId.extend({note_id: z.string()}), needs: 'act'},
	'runs.answer': {
		params: typedId.extend({text: z.string(), request_version: requestVersion}),
		result: runId.extend({reason: z.string().nullable()}),
		needs: 'act',
		deadline: 'none',
	},
	'runs.close': {
		params: z.object({id: rowId, request_version: requestVersion}),
		result: runId,
		needs: 'act',
		caller: 'console',
	},
	'traces.view': {
		params: z.object({subject: z.object({kind: z.enum(traceKinds), id: rowId}), part}),
		result: viewJson('view.trace'),
		needs: 'read',
	},
} satisfies Partial<MethodDescriptions>;

/** Routes, stored events, deliveries and scheduled jobs. */
export const eventMethods = {
	'webhook.list': {params: nothing, result: z.array(routeRowJson).nullable(), needs: 'read'},
	'webhook.enable': {params: nothing, result: nothing, needs: 'act'},
	'webhook.pause': {
		params: z.object({route: z.string(), paused: z.boolean()}),
		result: nothing,
		needs: 'act',
	},
	'webhook.handshake': {
		params: z.object({route: z.string()}),
		result: handshakeEndJson,
		needs: 'act',
		deadline: 'none',
	},
	'webhook.confirm': {params: z.object({id: rowId}), result: confirmationEndJson, needs: 'allow', deadline: 'none'},
	'events.list': {
		params: z.object({
			limit: z.int().min(1).max(10_000),
			route: z.string().optional(),
			status: z.enum(eventStatuses).optional(),
			since: z.number().optional(),
			until: z.number().optional(),
		}),
		result: z.array(eventRowJson),
		needs: 'read',
		opens: stored,
	},
	'events.older': {
		params: z.object({before: z.number().nullable()}),
		result: viewJson('view.older-events'),
		needs: 'read',
	},
	'events.show': {params: typedId, result: eventDetailJson.nullable(), needs: 'read', opens: stored},
	'events.file': {
		params: typedId.extend({number: z.int().min(1), from: z.int().min(0)}),
		result: eventFilePartJson.nullable(),
		needs: 'read',
		opens: stored,
	},
	'events.view': {params: rowPage, result: viewJson('view.page'), needs: 'read'},
	'events.dry-run': {params: z.object({id: rowId}), result: viewJson('view.page'), needs: 'act'},
	'events.replay': {params: typedId, result: replayJson, needs: 'act', deadline: 'none'},
	'events.replay-all': {
		params: z.object({ids: z.array(rowId).max(1000)}),
		result: z.array(replayJson),
		notes: replayJson,
		needs: 'act',
		deadline: 'none',
	},
	'events.deliver': {params: typedId, result: redeliveryJson, needs: 'act'},
	'events.follow': {params: nothing, result: nothing, notes: jsonObject, needs: 'read', deadline: 'none'},
	'deliveries.list': {
		params: z.object({limit: rowLimit, state: deliveryRowJson.shape.state.optional()}),
		result: z.array(deliveryRowJson),
		needs: 'read',
		opens: stored,
	},
	'deliveries.retry': {
		params: typedId.extend({uncertain: z.boolean().optional()}),
		result: deliveryEndJson,
		needs: 'act',
		deadline: 'none',
	},
	'deliveries.cancel': {params: typedId, result: deliveryEndJson, needs: 'act'},
	'deliveries.view': {params: rowPage, result: viewJson('view.page'), needs: 'read'},
	'deliveries.failed': {params: nothing, result: z.array(failedDeliveryJson), needs: 'read', opens: stored},
	'deliveries.dismiss': {params: z.object({ids: z.array(rowId).max(10_000)}), result: nothing, needs: 'act'},
	'cron.list': {params: nothing, result: z.array(cronJobJson), needs: 'read', opens: stored},
	'cron.create': {params: newJobJson, result: cronJobJson, needs: 'act', opens: stored},
	'cron.edit': {
		params: z.object({reference: z.string(), edit: jobEditJson}),
		result: cronJobJson,
		needs: 'act',
		opens: stored,
	},
	'cron.change': {
		params: z.object({reference: z.string(), change: z.enum(['pause', 'resume', 'remove'])}),
		result: cronJobJson,
		needs: 'act',
		opens: stored,
	},
	'cron.run': {params: z.object({reference: z.string()}), result: firedJobJson, needs: 'act'},
} satisfies Partial<MethodDescriptions>;
