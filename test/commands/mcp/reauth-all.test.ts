import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'vitest';
import {type LoginReportJson} from '../../../source/state/json/login.ts';
import {whenAborted} from '../../../source/util/abort-signal.ts';
import {startControl} from '../../control/control-fixture.ts';
import {typeSluice} from '../../helpers/sluice.ts';

test('a login of several that a person cancels does not stop those behind it', async () => {
	const waiting = {
		type: 'login.state',
		server: 'one',
		state: 'awaiting-redirect',
		flow: 'browser',
		authorization_url: 'https://login.example.com/authorize',
		redirect_uri: 'http://127.0.0.1:1/callback',
		expires_at: Date.now() + 300_000,
	} as const satisfies LoginReportJson;
	const {path} = await startControl({
		'mcp.logins': () => ['one', 'two'].map(name => ({name, flow: 'browser', enabled: true})),
		async 'mcp.login'({server}, {note, signal}) {
			if (server === 'one') {
				note(waiting);
				await new Promise<void>(resolve => void whenAborted(signal, resolve));
			}

			return {outcome: 'succeeded'};
		},
	});
	const home = dirname(path);
	writeFileSync(join(home, 'config.yaml'), '{}', {mode: 0o600});
	const terminal = typeSluice({home}, 'mcp', 'reauth', '--all');
	await terminal.waitFor('Type cancel or press Ctrl-C');
	terminal.press('cancel\r');
	await terminal.waitFor(/one +browser +by request[\s\S]*two +browser +logged in/u);
});
