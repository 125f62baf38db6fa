import {PassThrough} from 'node:stream';
import {onTestFinished} from 'vitest';
import {openScreenReaderConsole} from '../../source/commands/approvals/screen-reader-console.ts';
import {type Command, type ReadWhole} from '../../source/state/command.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

/** A terminal that reads lines aloud, and a person who types lines. */
export function openConsole(...given: ReadonlyArray<GatewayEventBody | {readonly readWhole: ReadWhole}>) {
	const events = given.flatMap(item => ('type' in item ? item : []));
	const gateway = given.find(item => 'readWhole' in item);
	const clock = createFakeClock();
	const eventBus = createEventBus({clock, redact: event => event});
	const input = new PassThrough();
	const sent: Command[] = [];
	const seen: Array<string | undefined> = [];
	const printed: string[] = [];
	const close = openScreenReaderConsole({
		eventBus,
		clock,
		input,
		send({seen: shown, ...command}) {
			sent.push(command);
			seen.push(shown);
		},
		...gateway,
		write: line => void printed.push(line),
	});
	onTestFinished(close);
	const report = (body: GatewayEventBody) => eventBus.publishFor('default')(body);
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
