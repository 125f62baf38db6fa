import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

/** A state directory with these skills. */
function withSkills(skills: Readonly<Record<string, string>>) {
	const home = stateDirectory();
	for (const [name, text] of Object.entries(skills)) {
		mkdirSync(join(home, 'skills', name), {recursive: true});
		writeFileSync(join(home, 'skills', name, 'SKILL.md'), text);
	}

	return {home};
}

test('skills are listed by name with their description', async () => {
	const at = withSkills({tone: '---\ndescription: How to sound\n---\nBe kind.', plain: 'Only text.'});
	expect(await runSluiceJson(at, 'skills', 'list')).toEqual([
		{name: 'plain', description: ''},
		{name: 'tone', description: 'How to sound'},
	]);
	const {code, stdout} = await runSluice(at, 'skills', 'list');
	expect([code, stdout]).toEqual([0, expect.stringMatching(/SKILL +DESCRIPTION\nplain *\ntone +How to sound\n/u)]);
});

test('one that cannot be loaded is reported, and the others are listed', async () => {
	const at = withSkills({good: 'Text.', bad: '---\n- a list\n---\nText.'});
	const {code, stdout, stderr} = await runSluice(at, 'skills', 'list', '--json');
	expect([code, JSON.parse(stdout)]).toEqual([1, [{name: 'good', description: ''}]]);
	expect(stderr).toContain('The skill "bad" is not loaded: its front matter is not a mapping in YAML');
});

test('without any the place to put one is named', async () => {
	const at = withSkills({});
	expect(await runSluice(at, 'skills', 'list')).toMatchObject({
		code: 0,
		stdout: '',
		stderr: expect.stringContaining('SKILL.md'),
	});
});
