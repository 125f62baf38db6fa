import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {linesBelow, openShellHome, playLines} from '../helpers/typed-lines.ts';

const readme = readFileSync(new URL('../../readme.md', import.meta.url), 'utf8');
const lines = linesBelow(readme, 'Five-minute tour');

test('every line of the tour does what the tour says', {timeout: 180_000}, async () => {
	expect(lines.length).toBeGreaterThan(8);
	const env = openShellHome();
	const {output, background} = await playLines(lines, env);
	expect(output('sluice mcp call files/read_text_file')).toContain('water the garden');
	expect(output('sluice webhook test')).toMatch(/^202 .*"accepted"/);
	expect(output('sluice events')).toMatch(/202 +alerts +"alert"/);
	expect(output('sluice inbox')).toContain('no model configured');
	expect(output('sluice runs answer')).toContain('Answered.');
	expect(output('sluice doctor')).not.toMatch(/^error/m);
	const [, call] = background;
	expect(await call?.end).toBe(0);
	expect(readFileSync(join(env.HOME, 'notes/new.txt'), 'utf8')).toBe('sow');
});
