import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {proposal, server, started} from './sample-events.ts';

async function openProposal(change: Parameters<typeof proposal>[1] = {}) {
	const dashboard = await openDashboard({events: [started(), server('a'), proposal('p1', change)]});
	await dashboard.press('A');
	await dashboard.shows('Install a tool server?');
	return dashboard;
}

const answer = (given: object) => ({method: 'proposals.answer', params: {id: 'p1', answer: given}, profile: 'default'});

describe('a server that wants to be installed', () => {
	test('shows its name, each word of its command and its whole entry', async () => {
		const {shows} = await openProposal({warnings: ['fetches code']});
		for (const text of ['tracker', '\n npx\n -y\n tracker-server\n', 'command: npx', '▲ fetches code']) {
			await shows(text);
		}
	});

	test('is installed by i', async () => {
		const {press, sent} = await openProposal();
		await press('i');
		expect(sent).toEqual([answer({kind: 'confirm'})]);
	});

	test('needs i twice when there are warnings', async () => {
		const {press, sent, shows} = await openProposal({warnings: ['fetches code']});
		await press('i');
		await shows('press i again: there are warnings');
		expect(sent).toEqual([]);
		await press('i');
		expect(sent).toEqual([answer({kind: 'confirm'})]);
	});

	test('needs i twice when not all of it was on the screen', async () => {
		const entryLines = Array.from({length: 60}, (_, index) => `line ${index}`);
		const {press, sent, shows} = await openProposal({entryLines});
		await press('i');
		await shows('not all of it was on the screen');
		expect(sent).toEqual([]);
	});

	test('needs i once after all of it was scrolled through', async () => {
		const entryLines = Array.from({length: 30}, (_, index) => `line ${index}`);
		const {press, sent, shows, turnToEnd} = await openProposal({entryLines});
		await turnToEnd();
		await shows('line 29');
		await press('i');
		expect(sent).toEqual([answer({kind: 'confirm'})]);
	});

	test('takes another name', async () => {
		const {press, sent, shows} = await openProposal();
		await press('m');
		await shows('install as:');
		await press('2');
		await shows('tracker2');
		await press('\r');
		expect(sent).toEqual([answer({kind: 'rename', name: 'tracker2'})]);
	});

	test('cannot be installed under a name that is taken', async () => {
		const {press, sent, shows} = await openProposal({nameState: 'taken'});
		await press('i');
		await shows('press m to use another name');
		expect(sent).toEqual([]);
	});

	test('is refused by x', async () => {
		const {press, sent} = await openProposal();
		await press('x');
		expect(sent).toEqual([answer({kind: 'cancel'})]);
	});

	test('is not decided by Esc', async () => {
		const {press, sent, shows} = await openProposal();
		await press('\u001B');
		await shows('1 install waiting');
		expect(sent).toEqual([]);
	});

	test('is not installed by a key that was held or came early', async () => {
		const {terminal, clock, sent} = await openProposal();
		for (let repeat = 0; repeat < 30; repeat++) {
			terminal.type('i');
			await clock.advance(33);
		}

		expect(sent).toEqual([]);
	});

	test('leaves a page that says so when it is settled elsewhere, also under the line for another name', async () => {
		for (const keys of ['', 'm']) {
			const {dispatch, press, hides, shows, sent} = await openProposal();
			await press(keys);
			await dispatch({type: 'proposal.settled', id: 'p1', outcome: 'withdrawn'});
			await hides('Install a tool server?');
			await shows('The install proposal has ended');
			for (const key of ['i', 'x', 'm', '\r']) {
				await press(key);
			}

			await shows('The install proposal has ended');
			expect(sent).toEqual([]);
		}
	});
});
