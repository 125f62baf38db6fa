import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {frameSvg} from './frame-svg.ts';
import {pictures, takePicture, withoutPaths} from './pictures.ts';

/*
Takes pictures of the built program in a real pseudo terminal, in its demo, and writes them to assets/ for the readme.
*/

const assets = new URL('../assets/', import.meta.url).pathname;
mkdirSync(assets, {recursive: true});
for (const picture of pictures) {
	await takePicture(picture, screen =>
		writeFileSync(join(assets, `${picture.name}.svg`), withoutPaths(frameSvg(screen))),
	);
	console.log(`assets/${picture.name}.svg`);
}
