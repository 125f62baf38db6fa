import {createHmac} from 'node:crypto';
import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';
import {parseRouteEntry, type RouteConfig} from '../source/config/webhooks/route-entry.ts';
import {sectionWithoutFile} from '../source/config/values/section.ts';
import {type EventRecord} from '../source/journal/journal.ts';
import {openJournal} from '../source/journal/open-journal.ts';
import {openLogFile} from '../source/journal/log-file.ts';
import {createEventBus} from '../source/state/event-bus.ts';
import {createStore} from '../source/state/store.ts';
import {redactTexts} from '../source/util/redact-texts.ts';
import {systemClock} from '../source/util/clock.ts';
import {createRedactor} from '../source/util/redact.ts';
import {createEventRows} from '../source/webhooks/pipeline/event-rows.ts';
import {createListFiles} from '../source/webhooks/filters/list-file.ts';
import {readPayload} from '../source/webhooks/payload/payload.ts';
import {prepareRoute} from '../source/webhooks/routes/prepared-route.ts';
import {renderPrompt} from '../source/webhooks/template/template.ts';
import {createRequestContext} from '../source/webhooks/pipeline/request-context.ts';
import {makePayload, type PayloadSize} from './webhook-payload.ts';
import {benchRoute, secret} from './webhook-receivers.ts';

const batch = 64;

/** Prints what each step of a request costs by itself, in this process, and what is left of the whole for HTTP, the run and the window. */
export async function measureStages(
	size: PayloadSize,
	options: {readonly microseconds: number; readonly directory: string},
): Promise<void> {
	const body = Buffer.from(makePayload(size));
	const turns = size === '1 MB' ? 30 : size === '21 KB' ? 600 : 3000;
	const stages = await openStages(body, mkdtempSync(join(options.directory, 'stages-')));
	const rows: Array<readonly [string, number]> = [];
	for (const [name, run] of Object.entries(stages.steps)) {
		await repeat(run, Math.ceil(turns / 3));
		rows.push([name, await repeat(run, turns)]);
	}

	await stages.close();
	const known = rows.reduce((sum, [, microseconds]) => sum + microseconds, 0);
	rows.push(['HTTP, run to the inbox, window, collector', options.microseconds - known]);
	for (const [name, microseconds] of rows) {
		const share = ((microseconds / options.microseconds) * 100).toFixed(0);
		console.log(
			`${size.padEnd(6)} ${name.padEnd(44)} ${microseconds.toFixed(1).padStart(8)} µs ${share.padStart(4)} %`,
		);
	}

	console.log('');
}

/** Microseconds for one. Each turn of a step is a batch of requests. */
async function repeat(run: () => Promise<void>, turns: number): Promise<number> {
	const batches = Math.max(2, Math.ceil(turns / batch));
	const startedAt = performance.now();
	for (let turn = 0; turn < batches; turn++) {
		await run();
	}

	return ((performance.now() - startedAt) * 1000) / (batches * batch);
}

async function openStages(body: Buffer, directory: string) {
	const config = readRoute();
	const {auth: approval, service} = prepareRoute(config, {expand: text => text, lists: createListFiles(directory)});
	if (approval.kind !== 'signed' || service.kind !== 'open') {
		throw new Error('The route of the bench is not served');
	}

	const headers = new Map([
		['content-type', 'application/json'],
		['x-github-event', 'pull_request'],
		['x-github-delivery', 'one'],
		['x-hub-signature-256', `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`],
	]);
	const reading = await readPayload(body, headers, body.length);
	const payload = reading.kind === 'payload' ? reading.payload : null;
	const redactor = createRedactor();
	redactor.learn(secret);
	const eventBus = createEventBus({clock: systemClock, redact: event => redactTexts(event, redactor.redact)});
	const store = createStore({clock: systemClock, isBlocked: () => true});
	const log = await openLogFile({clock: systemClock, path: join(directory, 'bench.log')});
	eventBus.listen(log.write);
	eventBus.listen(store.publish);
	const journal = openJournal({
		path: join(directory, 'journal.db'),
		clock: systemClock,
		limits: () => ({maxAgeDays: 30, maxBytes: 2 ** 30}),
	});
	const scope = {payload, event: 'pull_request', deliveryId: 'one', route: 'bench'};
	const kept = {recordEvent: () => undefined, settleEvent: () => undefined};
	const rows = createEventRows({
		clock: systemClock,
		publishFor: eventBus.publishFor,
		journal: kept,
		profile: 'default',
	});
	let made = 0;
	const visited = () => ({
		...createRequestContext(systemClock, headers),
		route: 'bench',
		event: 'pull_request',
		deliveryId: `delivery-${made++}`,
		body,
	});
	const outcome = {kind: 'accepted', route: 'bench', event: 'pull_request', deliveryId: 'one'} as const;
	const accept = (event: EventRecord) =>
		journal.acceptEvent({
			event,
			deduplicateUntil: event.time + 3_600_000,
			run: {
				...scope,
				id: event.id,
				eventId: event.id,
				profile: 'default',
				deliveryId: event.deliveryId,
				prompt: 'x'.repeat(200),
				deliver: [{target: 'log', extra: {}}],
				skills: [],
				createdAt: event.time,
			},
		});

	const each = (work: () => unknown) => async () => {
		for (let index = 0; index < batch; index++) {
			await work();
		}
	};
	return {
		steps: {
			'signature over the raw bytes': each(() => approval.verify({headers, target: '/'}, Date.now())?.isSigned(body)),
			'UTF-8, JSON, depth': each(() => readPayload(body, headers, body.length)),
			filters: each(() => service.findRefusal({payload, event: 'pull_request', headers})),
			'template of the prompt': each(() => renderPrompt(config.prompt, scope)),
			'event, log line, snapshot': each(() => rows.settle(visited(), outcome)),
			'journal, 64 in a commit: compress, write, fsync': async () => {
				await Promise.all(Array.from({length: batch}, () => accept(rows.record(visited(), outcome))));
			},
		},
		async close() {
			store.close();
			await log.close();
			await journal.close();
		},
	};
}

function readRoute(): RouteConfig {
	const parsed = parseRouteEntry('bench', benchRoute, {section: sectionWithoutFile('bench'), globalSecrets: [secret]});
	if (parsed.kind === 'broken') {
		throw parsed.problem;
	}

	return parsed.route;
}
