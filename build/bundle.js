import {build} from 'rolldown';
import config from './rolldown.config.js';

// The command line of the bundler would list all of its 300 files before the first screen of `npm start`.
await build(config);
