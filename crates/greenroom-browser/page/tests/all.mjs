// All tests of the script in one process with one browser, which is much quicker than one of each
// per file:
//
//   node tests/all.mjs
import './arrival.test.mjs';
import './controls.test.mjs';
import './main-world.test.mjs';
import './ready.test.mjs';
import './resolve.test.mjs';
import './snapshot.test.mjs';
import './through.test.mjs';
