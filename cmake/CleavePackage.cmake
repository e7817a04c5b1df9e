# What is installed, so that find_package(Cleave) works. Targets are called
# Cleave::Passes, Cleave::Graph, ... there; headers keep the paths by which the
# sources include them, in a folder of their own.

include(CMakePackageConfigHelpers)
set(CLEAVE_PACKAGE_DIR lib/cmake/Cleave)
set(CLEAVE_HEADER_DIR include/cleave-compiler)

get_property(libraries GLOBAL PROPERTY CLEAVE_LIBRARIES)
foreach(library ${libraries})
  string(REGEX REPLACE "^Cleave" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${library} INTERFACE
    $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:${CLEAVE_HEADER_DIR}>)
endforeach()
set_target_properties(cleave-rt PROPERTIES EXPORT_NAME Runtime)
set_target_properties(cleave-rt-main PROPERTIES EXPORT_NAME RuntimeMain)
install(TARGETS ${libraries} cleave-rt cleave-rt-main EXPORT CleaveTargets
        ARCHIVE DESTINATION lib)
install(EXPORT CleaveTargets NAMESPACE Cleave:: DESTINATION ${CLEAVE_PACKAGE_DIR})

install(TARGETS cleave cleave-opt cleave-lsp-server RUNTIME DESTINATION bin)
if(TARGET cleave-rt-mpi)
  install(TARGETS cleave-rt-mpi LIBRARY DESTINATION lib)
endif()
if(TARGET cleave-rt-cuda)
  install(TARGETS cleave-rt-cuda LIBRARY DESTINATION lib)
endif()
install(TARGETS cleave-plugin cleave-stablehlo-plugin LIBRARY DESTINATION lib)

install(DIRECTORY include/ DESTINATION include)
install(DIRECTORY dialects passes DESTINATION ${CLEAVE_HEADER_DIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td"
        PATTERN tests EXCLUDE)
install(DIRECTORY ${CMAKE_BINARY_DIR}/dialects ${CMAKE_BINARY_DIR}/passes
        DESTINATION ${CLEAVE_HEADER_DIR} FILES_MATCHING PATTERN "*.h.inc"
        PATTERN CMakeFiles EXCLUDE PATTERN tests EXCLUDE)

configure_package_config_file(cmake/CleaveConfig.cmake.in
  ${CMAKE_BINARY_DIR}/CleaveConfig.cmake INSTALL_DESTINATION ${CLEAVE_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/CleaveConfigVersion.cmake
  COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/CleaveConfig.cmake
              ${CMAKE_BINARY_DIR}/CleaveConfigVersion.cmake
        DESTINATION ${CLEAVE_PACKAGE_DIR})
