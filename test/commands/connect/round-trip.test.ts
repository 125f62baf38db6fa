import {describe, expect, test} from 'vitest';
import {programs} from '../../../source/config/programs/programs.ts';
import {hookFiles, type SettingsFile, settingsFiles} from '../../config/programs/settings-files.ts';
import {openHome} from './connect-fixture.ts';

/** The program that has its servers, or its hooks, at this place, and the file. */
const places: Readonly<Record<string, readonly [name: keyof typeof programs, file: string]>> = {
	mcpServers: ['cursor', '.cursor/mcp.json'],
	context_servers: ['zed', '.config/zed/settings.json'],
	servers: ['vscode', '.config/Code/User/mcp.json'],
	mcp: ['opencode', '.config/opencode/opencode.json'],
	mcp_servers: ['codex', '.codex/config.toml'],
	'hooks PreToolUse': ['codex', '.codex/hooks.json'],
	'hooks preToolUse': ['cursor', '.cursor/hooks.json'],
	'sluice PreToolUse': ['antigravity', '.gemini/config/hooks.json'],
};

const placeOf = ({path}: SettingsFile) => places[path.join(' ')] ?? places[path[0]] ?? expect.fail(path.join(' '));
const all = [...settingsFiles, ...hookFiles];

describe.each(['without a hook', 'with a hook'] as const)('%s', kind => {
	test.each(all)('$format: $name: --remove restores every byte of what connect has changed', async file => {
		const {connect, read, write, records} = openHome();
		const [name, path] = placeOf(file);
		const {hook} = programs[name];
		const flags = kind === 'with a hook' && hook.kind !== 'none' ? ['--hook'] : [];
		write(path, file.text);
		const {code} = await connect(name, ...flags, '--yes');
		expect(code).toBe(0);
		if (flags.length > 0 || !path.endsWith('hooks.json')) {
			expect(read(path)).not.toBe(file.text);
		}

		expect((await connect(name, '--remove', '--yes')).stdout).toMatch(/^Restored /u);
		expect([read(path), records()]).toEqual([file.text, []]);
	});
});
