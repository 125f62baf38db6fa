import {PassThrough} from 'node:stream';
import {onTestFinished} from 'vitest';
import {createHeldLines} from '../../source/commands/approvals/held-lines.ts';
import {openScreenReaderConsole} from '../../source/commands/approvals/screen-reader-console.ts';
import {type CallGateway, type MethodName} from '../../source/state/api.ts';
import {type ReadFull} from '../../source/state/gateway-call.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

type Given = GatewayEventBody | {readonly readFull: ReadFull} | {readonly bell: 'sounds' | 'silent'};

/** A terminal that reads lines aloud, and a person who types lines. */
export function openConsole(...given: readonly Given[]) {
	const events = given.flatMap(item => ('type' in item ? item : []));
	const gateway = given.find(item => 'readFull' in item);
	const bell = given.find(item => 'bell' in item)?.bell;
	const clock = createFakeClock();
	const eventBus = createEventBus({clock, redact: event => event});
	const input = new PassThrough();
	const sent: Array<{readonly method: MethodName; readonly params: object; readonly profile?: string}> = [];
	const proposed = new Set<(note: never) => void>();
	const seen: Array<string | undefined> = [];
	const printed: string[] = [];
	const call: CallGateway = async (method, params, {profile, onNote} = {}) => {
		if (method === 'approvals.view') {
			// The method does not narrow the type of its parameters.
			const query = params as unknown as Parameters<ReadFull>[0];
			return (await gateway?.readFull({...query, profile: profile ?? ''})) ?? null;
		}

		if (method === 'console.key') {
			return new Promise(() => undefined);
		}

		const {request_version: version, ...rest} = params as {readonly request_version?: string};
		sent.push({method, params: rest, ...(profile !== undefined && {profile})});
		seen.push(version);
		if (method === 'rules.propose' && onNote) {
			proposed.add(onNote);
		}

		return new Promise(() => undefined);
	};

	// As `gateway run` prints its events.
	const lines = createHeldLines(line => void printed.push(line));
	eventBus.listen(event => {
		if (event.type === 'log') {
			lines.write(`log: ${event.text}`);
		}
	});
	const close = openScreenReaderConsole({
		call,
		subscribe: eventBus.listen,
		clock,
		input,
		...(bell && {bell}),
		write: line => void printed.push(line),
		log: lines,
	});
	onTestFinished(close);
	const report = (body: GatewayEventBody) => {
		if (body.type === 'view.rule-proposal') {
			// The note of `rules.propose` alone is taken.
			proposed.forEach(take => take(body as never));
		} else {
			eventBus.publishFor('default')(body);
		}
	};

	events.forEach(report);
	const type = async (...lines: readonly string[]) => {
		for (const line of lines) {
			await clock.advance(1000);
			input.write(`${line}\n`);
			await clock.settle();
		}
	};
	return {clock, sent, seen, printed, report, type, input};
}
