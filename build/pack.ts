import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {noticeFile} from './third-party-licenses.ts';

/*
`npm run pack [-- FOLDER]` packs what users install into FOLDER, else into the repository: one package without dependencies and install
scripts, as everything is bundled into dist/. It is not what package.json here says, which names what the bundle is made of.
*/
const publishedFields = [
	'name',
	'version',
	'description',
	'license',
	'type',
	'keywords',
	'bin',
	'files',
	'engines',
] as const;

type Manifest = Readonly<Record<(typeof publishedFields)[number], unknown>> & {readonly files: readonly string[]};

const root = fileURLToPath(new URL('../', import.meta.url));
const destination = resolve(process.argv[2] ?? root);
const stage = mkdtempSync(join(tmpdir(), 'sluice-pack-'));
try {
	stagePackage();
	execFileSync('npm', ['pack', stage, '--pack-destination', destination, '--loglevel', 'error'], {stdio: 'inherit'});
} finally {
	rmSync(stage, {recursive: true});
}

function stagePackage(): void {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
	const published = Object.fromEntries(publishedFields.map(field => [field, manifest[field]]));
	for (const file of ['readme.md', 'license', ...manifest.files.filter(file => file !== noticeFile)]) {
		cpSync(join(root, file), join(stage, file), {recursive: true});
	}

	renameSync(join(stage, 'dist', noticeFile), join(stage, noticeFile));
	writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published, null, '\t')}\n`);
}
