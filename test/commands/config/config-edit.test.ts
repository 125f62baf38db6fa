import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openSession} from '../../../source/commands/cli/session.ts';
import {runConfigEdit} from '../../../source/commands/config/config-edit.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {readState, stateDirectory} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openContext} from '../command-fixture.ts';

const written = `# the gateway at home
model:
  provider: openai # for now
  api_key: sk-literal-key
agent: {max_steps: 3}
`;

const config = (home: string) => readState(home, 'config.yaml');

function ownSession(home: string) {
	return openSession({home, demo: false, dashboard: 'never', readOnly: false, ascii: false}, '0.0.0');
}

/** Runs `config edit` with an editor that is a shell script; $1 is the copy. */
function editWith(home: string, script: string) {
	const folder = temporaryDirectory();
	const editor = join(folder, 'my editor');
	writeFileSync(editor, `#!/bin/sh\n${script}\n`, {mode: 0o700});
	const copies = mkdtempSync(join(folder, 'copies-'));
	return runSluice({home, env: {VISUAL: `'${editor}'`, EDITOR: '/no/such/editor', TMPDIR: copies}}, 'config', 'edit');
}

/** The text that was not written, from the place that is named last; it is removed. */
function keptText(stderr: string): string {
	const path = /Your text is in (\S+)\.\n$/u.exec(stderr)?.[1] ?? '';
	const text = readFileSync(path, 'utf8');
	rmSync(dirname(path), {recursive: true});
	return text;
}

describe('config edit', () => {
	test('under `approvals.cli: deny` is refused after the editor, and the text is kept', async () => {
		const closed = 'approvals: {cli: deny}\nmcp_servers:\n  a: {command: x, trust: untrusted}\nmodel: {name: m}\n';
		const home = stateDirectory(closed);
		const {code, stderr} = await editWith(home, 'sed -i \'s/cli: deny/cli: allow/\' "$1"');
		expect([code, config(home)]).toEqual([1, closed]);
		expect(stderr).toContain('Commands may not change `approvals`');
		expect(keptText(stderr)).toContain('cli: allow');
	});

	test('writes what the editor left, byte for byte, and shows the difference without secrets', async () => {
		const home = stateDirectory(written);
		const {code, stdout, stderr} = await editWith(
			home,
			`sed -i -e 's/max_steps: 3/max_steps:   4/' -e 's/literal-key/other-literal/' "$1"`,
		);
		expect([code, config(home), stderr]).toEqual([
			0,
			written.replace('max_steps: 3', 'max_steps:   4').replace('literal-key', 'other-literal'),
			'',
		]);
		expect(stdout).toContain(
			'+   api_key: ‹redacted 16 chars›\n+ agent: {max_steps:   4}\n-   api_key: ‹redacted 14 chars›\n- agent: {max_steps: 3}\n',
		);
		expect(stdout).not.toMatch(/sk-literal|sk-other/u);
	});

	test('leaves nothing behind, and nothing else can read the copy', async () => {
		const home = stateDirectory(written);
		const {code, stderr} = await editWith(
			home,
			`stat -c '%a' "$1" "$(dirname "$1")" > ${home}/modes; dirname "$1" > ${home}/folder`,
		);
		expect([code, stderr]).toEqual([0, 'Nothing was changed.\n']);
		expect(readState(home, 'modes')).toBe('600\n700\n');
		expect(existsSync(readState(home, 'folder').trim())).toBe(false);
	});

	test.each([
		['agent: [', 'config.yaml:', 'a syntax error'],
		['approvals: {clii: deny}', 'config.yaml:1:13: approvals.clii: "clii" is not a known key', 'an error of a key'],
	])('of a file that is broken after it (%s) names the line, and writes nothing', async (text, message) => {
		const home = stateDirectory(written);
		const {code, stderr} = await editWith(home, `printf '%s\\n' '${text}' > "$1"`);
		expect([code, stderr, config(home)]).toEqual([1, expect.stringContaining(message), written]);
		expect(stderr).toContain('Nothing was changed.');
	});

	test.each([
		['yes', 0, 'agent: {max_steps: 2}\n', 2],
		['no', 1, written, 1],
	] as const)('asks whether to edit again, and after %s ends with %d', async (answer, code, text, runs) => {
		const home = stateDirectory(written);
		const editor = join(temporaryDirectory(), 'editor');
		const script = `echo x >> ${home}/runs; [ -s ${home}/once ] && echo 'agent: {max_steps: 2}' > "$1" || echo 'agent: [' > "$1"; echo x > ${home}/once`;
		writeFileSync(editor, `#!/bin/sh\n${script}\n`, {mode: 0o700});
		const {context, stderr} = openContext({answer});
		const session = ownSession(home);
		const environment = {...session.environment, variables: {VISUAL: editor}};
		expect(await runConfigEdit(context, {...session, environment})).toBe(code);
		expect([config(home), readState(home, 'runs')]).toEqual([text, 'x\n'.repeat(runs)]);
		expect(stderr()).toContain('Edit it again?');
	});

	test('opens a file that is broken, so that it can be mended', async () => {
		const home = stateDirectory('agent: [\n');
		const {code, stderr} = await editWith(home, `echo 'agent: {max_steps: 2}' > "$1"`);
		expect([code, stderr, config(home)]).toEqual([0, '', 'agent: {max_steps: 2}\n']);
	});

	test('makes the file where there is none', async () => {
		const home = stateDirectory();
		const {code} = await editWith(home, `echo 'agent: {max_steps: 2}' >> "$1"`);
		expect([code, config(home)]).toEqual([0, 'agent: {max_steps: 2}\n']);
	});

	test('writes nothing over a file that changed meanwhile, and keeps the text', async () => {
		const home = stateDirectory(written);
		const {code, stderr} = await editWith(home, `echo 'agent: {}' > ${home}/config.yaml; echo '# mine' >> "$1"`);
		expect([code, config(home)]).toEqual([1, 'agent: {}\n']);
		expect(stderr).toContain('has changed since it was read; nothing was written');
		expect(keptText(stderr)).toBe(`${written}# mine\n`);
	});

	test('with an editor that fails writes nothing', async () => {
		const home = stateDirectory(written);
		const {code, stderr} = await editWith(home, `echo broken > "$1"; exit 4`);
		expect([code, stderr, config(home)]).toEqual([1, expect.stringContaining('ended with code 4'), written]);
	});

	test('with an editor that is missing says how to name one', async () => {
		const {code, stderr} = await runSluice(
			{home: stateDirectory(written), env: {EDITOR: '/no/such/editor -w'}},
			'config',
			'edit',
		);
		expect([code, stderr]).toEqual([
			1,
			expect.stringMatching(/The editor \/no\/such\/editor was not found\n +Set \$VISUAL/u),
		]);
	});
});
