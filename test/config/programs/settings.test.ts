import {describe, expect, test} from 'vitest';
import {type SettingsEdit} from '../../../source/config/programs/settings-edit.ts';
import {editSettings, memberAt, parseSettings} from '../../../source/config/programs/settings.ts';
import {hookFiles, type SettingsFile, settingsFiles} from './settings-files.ts';

const entry = {command: '/opt/sluice "x"', args: ['mcp', 'serve', '--client', 'codex'], timeout: 1_260_000};

function edit({format, text}: SettingsFile, edits: readonly SettingsEdit[]): Promise<string> {
	return editSettings({path: '/f', format, text: text === '' ? undefined : text}, edits);
}

const set = ({path}: SettingsFile, value: object = entry): SettingsEdit => ({
	kind: 'set',
	path: [...path, 'sluice'],
	value: value as typeof entry,
});
const remove = ({path}: SettingsFile): SettingsEdit => ({kind: 'remove', path: [...path, 'sluice']});

/** True if all of `before` is in `after`, in the same sequence. */
function isContained(before: string, after: string): boolean {
	let found = 0;
	for (let at = 0; at < after.length; at++) {
		found += after[at] === before[found] ? 1 : 0;
	}

	return found === before.length;
}

test('the table has over 60 files, of both formats', () => {
	expect(settingsFiles.length).toBeGreaterThan(60);
	expect(new Set(settingsFiles.map(({format}) => format))).toEqual(new Set(['json', 'toml']));
	expect(new Set(settingsFiles.map(({format, name}) => `${format} ${name}`)).size).toBe(settingsFiles.length);
});

describe.each(settingsFiles)('$format: $name', file => {
	test('an entry is added, and every byte that was there stays in its place', async () => {
		const after = await edit(file, [set(file)]);
		const settings = await parseSettings({...file, path: '/f', text: after});
		expect(JSON.parse(JSON.stringify(memberAt(settings, [...file.path, 'sluice'])))).toEqual(entry);
		expect(isContained(file.text, after)).toBe(true);
		expect(after).not.toMatch(file.text.includes('\r\n') ? /(?<!\r)\n/u : /\r/u);
	});

	test('an entry that was added and is taken out leaves what was there', async () => {
		const before = await parseSettings({...file, path: '/f'});
		const added = await edit(file, [set(file)]);
		const removed = await edit({...file, text: added}, [remove(file)]);
		expect(removed).not.toContain('/opt/sluice');
		expect(isContained(file.text.trim(), removed)).toBe(true);
		const left = await parseSettings({...file, path: '/f', text: removed});
		expect(JSON.stringify(left)).toContain(JSON.stringify(before).slice(1, -1));
		if (memberAt(before, file.path) !== undefined && file.text.endsWith('\n') && !/\{\s*\}/u.test(file.text)) {
			expect(removed.trimEnd()).toBe(file.text.trimEnd());
		}
	});

	test('an entry is replaced alone', async () => {
		const added = await edit(file, [set(file)]);
		const other = {...entry, command: '/usr/bin/sluice', args: []};
		const replaced = await edit({...file, text: added}, [set(file, other)]);
		expect(await edit({...file, text: replaced}, [set(file)])).toBe(added);
		expect(replaced).toContain('/usr/bin/sluice');
	});
});

describe.each(hookFiles)('$name', file => {
	const item = {matcher: '*', hooks: [{type: 'command', command: "'/opt/a b/sluice' hook codex", timeout: 86_400}]};
	const change = (kind: 'add item' | 'remove item'): SettingsEdit => ({kind, path: file.path, item});

	test('an item is added, taken out again, and every byte that was there stays in its place', async () => {
		const before = await parseSettings({...file, path: '/f'});
		const added = await edit(file, [change('add item')]);
		const settings = await parseSettings({...file, path: '/f', text: added});
		const list = memberAt(before, file.path) ?? [];
		expect(memberAt(settings, file.path)).toEqual([...(Array.isArray(list) ? list : []), item]);
		expect(isContained(file.text, added)).toBe(true);
		expect(added).not.toMatch(file.text.includes('\r\n') ? /(?<!\r)\n/u : /\r/u);
		const removed = await edit({...file, text: added}, [change('remove item')]);
		expect(isContained(file.text.trim(), removed)).toBe(true);
		if (Array.isArray(list) && list.length > 0) {
			expect(removed).toBe(file.text);
		}
	});

	test('an item that is not there takes out nothing', async () => {
		expect(await edit(file, [change('remove item')])).toBe(file.text);
	});
});
