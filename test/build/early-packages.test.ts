import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {rolldown} from 'rolldown';
import {expect, test} from 'vitest';
import {refuseEarlyPackages} from '../../build/early-packages.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const slow = {
	'node_modules/slow/package.json': JSON.stringify({name: 'slow', main: 'index.js', type: 'module'}),
	'node_modules/slow/index.js': 'export const slow = Math.random();\n',
};

/** Bundles a program whose frame must not load the package `slow`, or an own module instead. */
async function build(
	files: Readonly<Record<string, string>>,
	chunks: Readonly<Record<string, RegExp>> = {},
	late = 'slow',
) {
	const folder = temporaryDirectory();
	for (const [path, text] of Object.entries({...slow, ...files})) {
		mkdirSync(dirname(join(folder, path)), {recursive: true});
		writeFileSync(join(folder, path), text);
	}

	const inRepository = (path: string) => relative(process.cwd(), join(folder, path));
	const bundle = await rolldown({
		input: join(folder, 'program.js'),
		preserveEntrySignatures: false,
		plugins: [refuseEarlyPackages({[inRepository('frame.js')]: [late === 'slow' ? late : inRepository(late)]})],
	});
	const groups = Object.entries(chunks).map(([name, pattern]) => ({name, test: pattern}));
	await bundle.generate(groups.length === 0 ? {} : {codeSplitting: {includeDependenciesRecursively: false, groups}});
	await bundle.close();
}

const program = "console.log(await import('./frame.js'));\n";
const later = "export const page = () => import('./page.js');\n";
const page = "import {slow} from 'slow';\nexport const title = `page ${slow}`;\n";

test('a package that a module imports by the way fails the build, which names the way', async () => {
	const files = {'program.js': program, 'frame.js': "export {title} from './page.js';\n", 'page.js': page};
	await expect(build(files)).rejects.toThrow(/frame\.js loads slow, which is for later: frame-/u);
});

test('a package that one chunk brings with what a module imports fails the build', async () => {
	const small = {'small.js': 'export const small = 1;\n'};
	const frame = `export {small} from './small.js';\n${later}`;
	const files = {'program.js': program, 'frame.js': frame, 'page.js': page, ...small};
	await expect(build(files)).resolves.toBeUndefined();
	await expect(build(files, {core: /(?:small|page)\.js$/u})).rejects.toThrow(/loads slow, .* → core-/u);
});

test('an own module fails the build in the same way', async () => {
	const files = {'program.js': program, 'page.js': page};
	await expect(build({...files, 'frame.js': "export {title} from './page.js';\n"}, {}, 'page.js')).rejects.toThrow(
		/loads .*page\.js, which is for later/u,
	);
	await expect(build({...files, 'frame.js': later}, {}, 'page.js')).resolves.toBeUndefined();
});

test('a package that is imported by a call is for later', async () => {
	await expect(build({'program.js': program, 'frame.js': later, 'page.js': page})).resolves.toBeUndefined();
});

test('a module that is not in the bundle fails the build', async () => {
	await expect(build({'program.js': 'console.log(1);\n'})).rejects.toThrow(/frame\.js is in no chunk/u);
});
