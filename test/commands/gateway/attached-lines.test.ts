import {expect, onTestFinished, test, vi} from 'vitest';
import {createAttachedLines} from '../../../source/commands/gateway/attached-lines.ts';
import {type GatewayEvent, type GatewayEventBody} from '../../../source/state/event.ts';
import {reduceAll} from '../../../source/state/reduce.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {noteOf, openedLine, startOddConsoles} from '../../control/console-fixture.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {createTestRuntime} from '../../helpers/gateway-parts.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {approval} from '../../tui/sample-events.ts';

/** A snapshot in which these wait for a person. */
const snapshotLine = (...waiting: readonly GatewayEventBody[]) => {
	const events = waiting.map((event, seq): GatewayEvent => ({seq, time: 0, profile: 'default', ...event}));
	return noteOf({kind: 'snapshot', snapshot: reduceAll(emptySnapshot, events)});
};

test('what still waits in a new snapshot is not read out again, and what does not is withdrawn', async () => {
	const before = snapshotLine(approval('7f3a'), approval('8b1c'), approval('9d2e'));
	const after = snapshotLine(approval('7f3a'), approval('8b1c', {tool: 'other'}), approval('a04f'));
	const {path} = await startOddConsoles({text: openedLine + before + after});
	const flags = {demo: false, dashboard: 'allowed', ascii: false, questions: 'numbered', readOnly: false} as const;
	const session = {...createTestRuntime(temporaryDirectory()), flags, onSignal: () => () => undefined};
	const gateway = createAttachedLines(session, await connectTo(path), () => undefined);
	const lines: string[] = [];
	gateway.subscribe(event => {
		if (event.type === 'approval.requested' || event.type === 'approval.settled') {
			lines.push(`${event.type} ${event.id} ${event.tool}`);
		}
	});
	onTestFinished(() => gateway.stop('the test ended'));
	await gateway.start();
	await vi.waitFor(() => expect(lines.at(-1)).toBe('approval.requested a04f create_issue'));
	expect(lines).toEqual([
		'approval.requested 7f3a create_issue',
		'approval.requested 8b1c create_issue',
		'approval.requested 9d2e create_issue',
		'approval.settled 8b1c create_issue',
		'approval.settled 9d2e create_issue',
		'approval.requested 8b1c other',
		'approval.requested a04f create_issue',
	]);
});
