/*
The client under test of the public conformance suite: `node adapter.ts ADDRESS`, with the scenario in the environment as the suite sets it.
Everything but the choice of calls is the program itself: configuration, connections, catalogue, the one door to the tools.
*/
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {statePaths} from '../../source/config/state-paths.ts';
import {layFoundation} from '../../source/gateway/foundation.ts';
import {openToolWing} from '../../source/gateway/tool-wing.ts';
import {openJournal} from '../../source/journal/journal.ts';
import {createHall} from '../../source/state/hall.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {followLogins, withLogins} from './follow-logins.ts';
import {callsOf} from './scenario-calls.ts';
import {serverEntry} from './server-entry.ts';

const [url = ''] = process.argv.slice(2);
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const home = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {peer: serverEntry(url, process.env)}}));

const hall = createHall({clock: systemClock, clean: event => event});
hall.listen(event => {
	if (event.type === 'server.state' || event.type === 'tool.finished' || event.type === 'log') {
		process.stderr.write(`${JSON.stringify(event)}\n`);
	}
});
const foundation = await layFoundation({
	paths: statePaths({root: home, profile: 'default'}),
	environment: {
		variables: {PATH: process.env['PATH'] ?? ''},
		home,
		runtimeDirectory: home,
		workingDirectory: home,
		noColor: true,
	},
	clock: systemClock,
	hall,
	redactor: createRedactor(),
	version: '0.0.0',
});
const journal = openJournal({
	path: foundation.paths.journal,
	clock: systemClock,
	limits: () => foundation.current().config.journal,
});
// The document of the suite cannot be fetched; that it would be looked at first is tested elsewhere.
const wing = openToolWing(foundation, journal, {checkDocument: async () => undefined});
followLogins(hall);
// A person who is there and takes every form as it is offered.
wing.desk.attachConsole();
hall.listen(event => {
	if (event.type === 'question.asked') {
		wing.questions.answer({id: event.id, answer: {kind: 'accept', values: {}}, by: 'adapter'});
	}
});
const signal = AbortSignal.timeout(25_000);
try {
	wing.apply();
	await wing.connections.settled(signal);
	await withLogins(
		wing,
		async () => {
			const calls = callsOf(scenario, {tools: wing.catalogue.list(), context: process.env['MCP_CONFORMANCE_CONTEXT']});
			// Side by side where the scenario looks for mixed-up answers, and in any case no call waits for a failed one.
			const outcomes = await Promise.all(
				calls.map(({name, arguments: args}) =>
					wing.callTool({name, arguments: args, origin: {kind: 'command-line'}}, {signal}),
				),
			);
			const lacksLogin = outcomes.some(outcome => outcome.kind === 'error' && outcome.error.needsReauth);
			return lacksLogin || wing.board.list()[0]?.state === 'needs-login' ? 'login-missing' : 'done';
		},
		signal,
	);
	const [peer] = wing.board.list();
	process.exitCode = peer?.state === 'connected' ? 0 : 1;
} finally {
	await wing.stop();
	await journal.close();
	rmSync(home, {recursive: true, force: true});
}
