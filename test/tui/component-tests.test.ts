import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {expect, test} from 'vitest';

const folders = ['views', 'components', 'approval', 'pages'];

/** Every component that a pane or an overlay is made of, with the file of its test: `source/tui/views/body.tsx` has `test/tui/views/body.test.tsx`. */
const components = folders.flatMap(folder =>
	readdirSync(`source/tui/${folder}`)
		.filter(file => file.endsWith('.tsx'))
		.flatMap(file =>
			[...readFileSync(`source/tui/${folder}/${file}`, 'utf8').matchAll(/^export function ([A-Z]\w*)\(/gmu)].map(
				([, name = '']) => ({name, path: `test/tui/${folder}/${basename(file, '.tsx')}.test.tsx`}),
			),
		),
);

test('there are components to look for', () => {
	expect(components.map(({name}) => name)).toContain('ReviewOverlay');
});

test.each(components)('$name has a test that renders it', ({name, path}) => {
	const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
	expect(text, path).toMatch(new RegExp(`<${name}[\\s>]`, 'u'));
	expect(text, path).toMatch(/from '(?:ink-testing-library|\.\.\/render-component\.tsx)'/u);
});
