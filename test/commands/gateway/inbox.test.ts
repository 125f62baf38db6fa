import {expect, test} from 'vitest';
import {inboxRows, runInbox} from '../../../source/commands/gateway/inbox.ts';
import {type CallGateway} from '../../../source/state/api.ts';
import {type InboxJson} from '../../../source/state/json/inbox.ts';
import {openContext, ownCore} from '../command-fixture.ts';

/** A row with the members alone that the inbox shows. */
const part = (row: object) => row as never;
const run = (id: string, state: string, time: number) =>
	part({id, state, changed_at: time, route: 'pulls', job: null, reason: 'no model'});

const stored = {
	'runs.list': () => [run('run-11111111', 'inbox', 300), run('run-22222222', 'finished', 400)],
	'uncertain.list': () => [part({id: 'call-33333333', time: 100, server: 'files', tool: 'write'})],
	'deliveries.failed': () => [
		part({
			id: 'failing',
			first_at: 200,
			route: 'pulls',
			job: null,
			target: 'slack',
			reason: 'status 403',
			event_id: 'event-44444444',
		}),
	],
};

const asked = {
	'approvals.list': () => [part({id: 'card-55555555', requested_at: 500, server: 'files', tool: 'write'})],
	'questions.list': () => [part({id: 'form-66666666', requested_at: 600, asker: 'garden', message: 'Which plant?'})],
	'mcp.list': () => [
		part({name: 'tracker', state: 'needs-login', reason: 'no tokens'}),
		part({name: 'files', state: 'connected', reason: null}),
	],
	status: () => part({waiting: {inbox: 3, proposals: 1}}),
};

test('everything that waits at a running gateway is listed, oldest first, each with its command', async () => {
	const answers: Readonly<Record<string, () => unknown>> = {...stored, ...asked};
	const call = (async (method: string) => answers[method]?.()) as CallGateway;
	const {rows, notes} = await inboxRows({call, of: 'gateway'});
	expect(rows.map(({kind, command}) => [kind, command])).toEqual([
		['login', 'sluice mcp login tracker'],
		['uncertain', 'sluice calls show 33333333'],
		['delivery', 'sluice events replay 44444444 --deliver'],
		['run', 'sluice runs show 11111111'],
		['approval', 'sluice approve 55555555'],
		['question', 'sluice questions answer 66666666'],
	]);
	expect(notes).toEqual([
		'Older runs that wait too: 2; `sluice attach` shows them.',
		'Install requests that wait: 1; `sluice attach` shows them.',
	]);
});

test('without a gateway stored rows alone are listed, and no server is started', async () => {
	const {context, stdout} = openContext({flags: {json: true}});
	expect(await runInbox(context, ownCore(stored).open)).toBe(0);
	expect((JSON.parse(stdout()) as InboxJson[]).map(({kind}) => kind)).toEqual(['uncertain', 'delivery', 'run']);
});
