/**
 * The migrations that have landed, with the SHA-256 of each. They are never edited, because databases have them as they were.
 *
 * Five were: 1 init (without idempotency_key.status), 2 whole_interface (three indexes more), 3 secrets_and_admins (ends_early and
 * an index more), 7 harmonize_indexes (listing_pattern) and 18 portions (statistics). one_shape and one_set_of_indexes level that
 * out, except 7: a database from the 48 minutes of its first form lacks listing_pattern, which family_index drops. It has to be
 * created there by hand.
 */
export const LANDED: Record<string, string> = {
  "20261121025148_init": "28980fc36ad735e1726550efef7fe15c3ec345a196e7dda91865e2baf87835d2",
  "20261121190347_whole_interface": "5f2b5fd41bd5e29992c02f42076524c70a48a022277e2bfe52accc237e190b50",
  "20261121223135_secrets_and_admins": "481bc84a2a0487d00588a7cc504df08efca7d162f9d813c7b7bfd7399d55b910",
  "20261122021641_normalization": "942073fe8c7acccc7a8f327643976fd0de67e57804343b5217f720843f052218",
  "20261122022500_text_search": "9b6b04b71d7030549794282035a8f5b416e233249f6b8778378721e1deaf92cb",
  "20261122052845_harmonizations": "5a3ed8e14f123931a2849c6640099a6a8ea544494e810c995ba2bd54bbdb0e20",
  "20261122091500_harmonize_indexes": "f8c2cbc8d88da49dd72de315a14383adf9211c582af01cf17911d0b18f676ccc",
  "20261122154157_application_access": "33e7ad13fa1c1f5fd9db07011959acaabbeb5519d385c7b92a52e1f1889ec7fd",
  "20261122155136_positions": "d03f34f60678d2b75c6612b6c324f54aed5c25e4dc6ef5a37ae8c176d1afedcf",
  "20261122155341_million_rows": "e8608245641e97bd67e6c232e3d717a0ee8415616d209878808cf1707ed41ca2",
  "20261122192417_instance_problems": "340d2a4d76a41443908ef3dd9a9880990137c7bbcfc1e3f1bd8f4413b3a4d5d7",
  "20261122193000_family_index": "698a313c4b9fc66703a603d80e56e1fad8ed4141551cc73d3fe0ec0e5e418222",
  "20261122223000_program_roles": "1f1a8c215235be23e501bd9b9593688cda64dd67afcd3e6724d10ddf61260d91",
  "20261122223540_codes": "059e44bff0aae70157e968d0f1325479fc46e3b24947666695b2447493db5633",
  "20261122223541_codes_in_rows": "f4b6d736a294d15115d9a0d71659dad05eee18b665c6372faff84d6fdc96be7f",
  "20261122225258_venue_add": "9ef42ae04cf7b3327332aa90b8b0da3fdc850dd4beb209f9fda2fdf8d264c45c",
  "20261123092505_accept_from_the_sure_cut": "9f2bafb14c3a1ded6e16461547f961243729f3c5fccee2482eaa5fa3d9fcbdcb",
  "20261123160955_portions": "ccef4d55a56675020132d466023b85518cc839150199219d4b2e4b13dd3d08ee",
  "20261123203000_last_write": "9490dbff2716ef000b18d926242125939b244aaa32fcd386bd3ccc06cf6cfe6a",
  "20261123204500_lean_indexes": "97673279c6d2db3327d38a798955e0c4829edd52f5d52075e995848626de39ff",
  "20261123220000_one_shape": "b29b5185ebdab3c036e4a803e3557a14ee9d416eeb2dbb38386d583bd15089ca",
  "20261123220001_one_set_of_indexes": "1840af68f5866a4abd6d9cf38a71b437649a443fe880ee2a384fec0f4386a608",
  "20261124030000_venue_tile": "9188de22460ed81149fbc2560afc899d367221f76b3e427c0082c675391ae9c6",
  "20261124044000_sources_and_editions": "1062f274587c747f301992846a3613fd58732f6d5ab5e8bd43a9deb14077db05",
  "20261124050000_map": "cc994443b37aa6e95428d6b9d1a9b00f92e399cbeaa5ccda9ff332d0cf4cef77",
  "20261124052000_checkin_copies": "9aa1991656b85e4790095226dfa1a434823aaad73dc0b4506d9d10a2ccc61826",
  "20261124070000_venue_change": "d53188421eaed5f2eb06b19c308abe4b487865fe54e35128d60907d3022b08b3",
  "20261125045459_bridge_files": "a82d4754771eeceb1757af471b7ce03a944f6844bc13568d41caf71efdb03d5b",
  "20261125050920_venue_looks": "fa2593ab715ce65a7848d1a1ec2dbb98021f2750ff1a98c7b99921a59ef95fe3",
};
